import { Table, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import classes from "./boards.module.css";
import { FigureCell } from "./figure-cell";
import type { History } from "./queries";

type Cell = History["rows"][number]["cells"][number];

interface HistoryCellViewProps {
  cell: Cell | undefined;
  /** Whether the column's round was written against this very model. */
  isTarget: boolean;
  range: readonly [number, number];
  side: { "data-apart": boolean } | undefined;
}

/** A score, or why there is none. */
export function HistoryCellView({ cell, isTarget, range, side }: HistoryCellViewProps) {
  const { t } = useTranslation("boards");
  const [from, to] = range;
  const figure = cell?.figure ?? null;
  const state = cell?.state ?? null;
  const value = figure?.value ?? null;
  return (
    <Table.Td
      ta="end"
      data-target={isTarget}
      {...side}
      {...(value !== null && {
        "data-heat": true,
        style: { "--heat": ((value - from) / (to - from)).toFixed(2) },
      })}
    >
      {value === null ? (
        <Text span size="sm" c="dimmed">
          {t(`history.state.${state === null || state === "done" ? "none" : state}`)}
        </Text>
      ) : (
        <FigureCell figure={figure} unit="points" />
      )}
      {isTarget && <div className={classes.small}>{t("history.target")}</div>}
    </Table.Td>
  );
}
