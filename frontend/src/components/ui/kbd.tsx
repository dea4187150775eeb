import { describeKeys, hasModifier, useSingleKeys } from "../../lib/shortcuts";
import classes from "./kbd.module.css";

/** The key that presses the thing it stands on. Hidden where single keys are switched off. */
export function Kbd({ keys }: { keys: string }) {
  const [singleKeys] = useSingleKeys();
  if (!singleKeys && !hasModifier(keys)) return null;
  // `aria-keyshortcuts` on the control tells the same to a screen reader.
  return (
    <kbd className={classes.kbd} aria-hidden>
      {describeKeys(keys)}
    </kbd>
  );
}
