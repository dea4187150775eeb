import { Table, Text, UnstyledButton } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import classes from "./boards.module.css";
import { FigureCell } from "./figure-cell";
import { metricTitle, rangeOf, unitOf, writeFigure, writeInterval, writeRank } from "./figures";
import { HumanFoot } from "./human-foot";
import { ModelName } from "./model-name";
import type { Board, BoardRow, MetricColumn } from "./queries";

export const DYNASCORE = "dynascore";

interface BoardTableProps {
  board: Board;
  rows: readonly BoardRow[];
  /** Sorts by the Dynascore or a metric; a board that stays as it is has none. */
  onSort?: (sort: string) => void;
}

/** The ranked models: rank as an interval, Dynascore with how fragile it is, every metric. */
export function BoardTable({ board, rows, onSort }: BoardTableProps) {
  const { t } = useTranslation("boards");
  const id = useId();
  const shown = board.metrics.filter(({ has_data, weight }) => has_data || weight > 0);
  const header = (name: string, title: string, unit = "") => (
    <SortHeader
      key={name}
      name={name}
      title={title}
      unit={unit}
      sort={board.sort}
      {...(onSort !== undefined && { onSort })}
    />
  );
  const several = board.datasets.length > 1 ? board.datasets : [];
  return (
    <div>
      <Text id={id} size="sm" c="dimmed" mb={4}>
        {[
          t("table.caption", { count: board.ranked }),
          rows.length > 0 && rows.every(({ rank }) => rank === null)
            ? t("table.unranked")
            : t(`table.rankedBy.${board.ranked_by}`),
          ...(board.rates_from === "fixed" ? [t("table.fixedRates")] : []),
        ].join(" ")}
      </Text>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls sideways. */}
      <div className={classes.scroll} role="region" aria-labelledby={id} tabIndex={0}>
        <Table aria-labelledby={id} verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col" ta="end">
                {t("table.rank")}
              </Table.Th>
              <Table.Th scope="col">{t("table.model")}</Table.Th>
              {header(DYNASCORE, t("table.dynascore"))}
              {shown.map((column) =>
                header(column.name, metricTitle(column, t), unitOf(column, t)),
              )}
              {several.map(({ key, title }) => (
                <Table.Th key={key} scope="col" ta="end">
                  {title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row key={row.model.id} board={board} rows={rows} row={row} columns={shown} />
            ))}
          </Table.Tbody>
          {board.humans !== null && (
            <HumanFoot humans={board.humans} columns={shown} datasets={several} />
          )}
        </Table>
      </div>
    </div>
  );
}

interface SortHeaderProps {
  name: string;
  title: string;
  unit: string;
  sort: string;
  onSort?: (sort: string) => void;
}

function SortHeader({ name, title, unit, sort, onSort }: SortHeaderProps) {
  const { t } = useTranslation("ui");
  const isChosen = sort === name;
  return (
    <Table.Th scope="col" ta="end" {...(isChosen && { "aria-sort": "descending" as const })}>
      {onSort === undefined ? (
        title
      ) : (
        <UnstyledButton
          className={classes.sort}
          onClick={() => onSort(name)}
          title={t("table.sortBy", { column: title })}
        >
          {title}
          <span aria-hidden> {isChosen ? "↓" : "↕"}</span>
        </UnstyledButton>
      )}
      {unit !== "" && <span className={classes.unit}>{unit}</span>}
    </Table.Th>
  );
}

interface RowProps {
  board: Board;
  rows: readonly BoardRow[];
  row: BoardRow;
  columns: readonly MetricColumn[];
}

function Row({ board, rows, row, columns }: RowProps) {
  const { i18n } = useTranslation("boards");
  const principal = columns.find(({ is_principal }) => is_principal);
  const several = board.datasets.length > 1;
  return (
    <Table.Tr>
      <Table.Td ta="end">{writeRank(row.rank ?? null, i18n.language)}</Table.Td>
      <Table.Th scope="row" fw={400} ta="start">
        <ModelName slug={board.task_slug} model={row.model} />
      </Table.Th>
      <Table.Td ta="end">
        <Dynascore row={row} />
      </Table.Td>
      {columns.map((column) => (
        <Table.Td key={column.name} ta="end">
          <FigureCell
            figure={row.figures[column.name]}
            unit={column.unit}
            {...(column.is_principal && {
              range: rangeOf(rows.map(({ figures }) => figures[column.name])),
            })}
          />
        </Table.Td>
      ))}
      {several &&
        row.datasets.map(({ key, figures }) => (
          <Table.Td key={key} ta="end">
            <FigureCell figure={figures[principal?.name ?? ""]} unit="points" />
          </Table.Td>
        ))}
    </Table.Tr>
  );
}

/** Points with their interval, and between which values one model less moves them. */
function Dynascore({ row }: { row: BoardRow }) {
  const { t, i18n } = useTranslation("boards");
  const interval = row.dynascore_interval;
  const moved = row.leave_one_out;
  return (
    <div className={classes.figure}>
      <span>{writeFigure(row.dynascore, "points", i18n.language)}</span>
      {interval !== null && (
        <span className={classes.small}>{writeInterval(interval, "points", i18n.language, t)}</span>
      )}
      {moved !== null && (
        <span className={classes.small}>
          {t("table.leaveOneOut", {
            range: writeInterval(moved, "points", i18n.language, t),
          })}
        </span>
      )}
    </div>
  );
}
