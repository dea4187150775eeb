import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { KeyButton } from "../../components/ui/key-button";
import type { Deed } from "./decision-dialog";
import classes from "./examples.module.css";
import type { Selection } from "./selection";

const DEEDS = [
  { deed: "correct", keys: "1" },
  { deed: "incorrect", keys: "2" },
  { deed: "flagged", keys: "3" },
] as const;

interface DeedBarProps {
  selection: Selection;
  onDeed: (deed: Deed) => void;
  /** What was released stays as it is, and the reason stands in the bar. */
  isReleased: boolean;
}

/** Moving, choosing and deciding, each with its key. */
export function DeedBar({ selection, onDeed, isReleased }: DeedBarProps) {
  const { t } = useTranslation("examples");
  const count = selection.selected.length;
  const isIdle = isReleased || selection.concerned.length === 0;
  return (
    <Group className={classes.bar} gap="xs" role="group" aria-label={t("bar.label")}>
      <Group gap="xs" className={classes.moves}>
        <KeyButton keys="j" variant="subtle" size="compact-md" onKey={selection.next}>
          {t("bar.next")}
        </KeyButton>
        <KeyButton keys="k" variant="subtle" size="compact-md" onKey={selection.previous}>
          {t("bar.previous")}
        </KeyButton>
        <KeyButton keys="x" variant="subtle" size="compact-md" onKey={selection.toggleCurrent}>
          {t("bar.choose")}
        </KeyButton>
        <KeyButton keys="a" variant="subtle" size="compact-md" onKey={selection.toggleAll}>
          {t("bar.all")}
        </KeyButton>
      </Group>
      <Text aria-live="polite" size="sm" fw={600} flex="1 1 6rem" ta="end">
        {isReleased ? t("bar.released") : t("bar.chosen", { count })}
      </Text>
      {DEEDS.map(({ deed, keys }) => (
        <KeyButton
          key={deed}
          keys={keys}
          variant="default"
          disabled={isIdle}
          onKey={() => onDeed(deed)}
        >
          {t(`vote.${deed}`)}
        </KeyButton>
      ))}
      <Button variant="default" disabled={isIdle} onClick={() => onDeed("void")}>
        {t("bar.void")}
      </Button>
    </Group>
  );
}
