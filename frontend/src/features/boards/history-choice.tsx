import { Button, Checkbox, Group, Text } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import classes from "./boards.module.css";
import { type Drawn, drawableOf, MOST_DRAWN, withDrawn } from "./history-rules";
import { columnName } from "./history-table";
import type { History } from "./queries";

interface HistoryChoiceProps {
  history: History;
  drawn: readonly Drawn[];
  /** Whether the reader has chosen nothing yet. */
  isUsual: boolean;
  onDraw: (asked: string | undefined) => void;
}

/** The reader's choice of lines; nothing where there is none to make. */
export function HistoryChoice({ history, drawn, isUsual, onDraw }: HistoryChoiceProps) {
  const { t } = useTranslation("boards");
  const id = useId();
  const all = drawableOf(history);
  if (all.length < 2) return null;
  const shown = new Set(drawn.map(({ key }) => key));
  const isFull = shown.size >= MOST_DRAWN;
  return (
    <div role="group" aria-labelledby={id} className={classes.choice}>
      <Group gap="xs" mb={4}>
        <Text id={id} size="sm" fw={600}>
          {t("history.choice.title")}
        </Text>
        <Text size="sm" c="dimmed">
          {t("history.choice.some", { count: shown.size, all: all.length })}
          {isFull &&
            all.length > MOST_DRAWN &&
            ` ${t("history.choice.most", { count: MOST_DRAWN })}`}
        </Text>
        {!isUsual && (
          <Button variant="subtle" size="compact-sm" onClick={() => onDraw(undefined)}>
            {t("history.choice.usual")}
          </Button>
        )}
      </Group>
      <Group gap="xs">
        {all.map(({ key, column }) => (
          <Checkbox
            key={key}
            size="xs"
            className={classes.chip}
            label={columnName(column, t)}
            checked={shown.has(key)}
            disabled={isFull && !shown.has(key)}
            onChange={() => onDraw(withDrawn(history, drawn, key))}
          />
        ))}
      </Group>
    </div>
  );
}
