import { useEffectEvent, useLayoutEffect } from "react";

import { useShortcut } from "../../lib/shortcuts";

/** Escape leaves the page, from within a field too; a dialog takes its own Escape first. */
export function useLeaveKey(label: string, leave: () => void): void {
  useShortcut("escape", label, leave);
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const isInField =
      event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || !isInField) return;
    if (document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return;
    event.preventDefault();
    leave();
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => handle(event);
    globalThis.addEventListener("keydown", listen);
    return () => globalThis.removeEventListener("keydown", listen);
  }, []);
}
