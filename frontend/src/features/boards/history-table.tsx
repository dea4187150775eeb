import { Button, Table, Text } from "@mantine/core";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { formatDate } from "../../lib/format";
import { useMetricTitle } from "../../lib/metric-titles";
import classes from "./boards.module.css";
import { FigureCell } from "./figure-cell";
import { rangeOf, writeFigure } from "./figures";
import { HistoryCellView } from "./history-cell";
import { whyUnknown } from "./human-foot";
import { ModelName } from "./model-name";
import type { History, HistoryColumn } from "./queries";

/** More rows than this are a click away. */
const FIRST_ROWS = 12;

interface HistoryTableProps {
  slug: string;
  history: History;
}

/** Models by rounds and static sets; a darker cell is a higher score. */
export function HistoryTable({ slug, history }: HistoryTableProps) {
  const { t } = useTranslation("boards");
  const title = useMetricTitle();
  const [isWhole, setWhole] = useState(false);
  const id = useId();
  const { columns, rows } = history;
  const range = rangeOf(rows.flatMap(({ cells }) => cells.map(({ figure }) => figure)));
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  const firstStatic = columns.findIndex(({ kind }) => kind === "static");
  const sides = columns.map((_, place) => ({ "data-apart": place === firstStatic && place > 0 }));
  return (
    <div>
      <Text id={id} size="sm" c="dimmed" mb={4}>
        {t("history.caption", { metric: title(history.metric) })}
      </Text>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls sideways. */}
      <div className={classes.scroll} role="region" aria-labelledby={id} tabIndex={0}>
        <Table aria-labelledby={id} className={`${classes.heat} ${classes.history}`}>
          <HistoryHead columns={columns} sides={sides} />
          <Table.Tbody>
            {shown.map(({ model, cells }) => (
              <Table.Tr key={model.id}>
                <Table.Th scope="row" fw={400}>
                  <ModelName slug={slug} model={model} />
                </Table.Th>
                {columns.map((column, place) => (
                  <HistoryCellView
                    key={column.version_id}
                    cell={cells[place]}
                    isTarget={column.target_ids.includes(model.id)}
                    range={range}
                    side={sides[place]}
                  />
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
          <HistoryFoot columns={columns} sides={sides} />
        </Table>
      </div>
      {rows.length > FIRST_ROWS && (
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={() => setWhole(!isWhole)}>
          {isWhole
            ? t("history.fewer", { count: FIRST_ROWS })
            : t("history.all", { count: rows.length })}
        </Button>
      )}
      {history.models > rows.length && (
        <Text size="sm" c="dimmed" mt="xs">
          {t("history.more", { models: history.models, count: rows.length })}
        </Text>
      )}
      {columns.some((column) => column.target_ids.length > 0) && (
        <Text size="sm" c="dimmed" mt="xs">
          {t("history.biased")}
        </Text>
      )}
      {whyNoPeople(columns).map((reason) => (
        <Text key={reason} size="sm" c="dimmed" mt="xs">
          {t("history.noPeople", { reason })}
        </Text>
      ))}
    </div>
  );
}

interface SidesProps {
  columns: readonly HistoryColumn[];
  sides: readonly { "data-apart": boolean }[];
}

/** Rounds and static sets stand apart, each column with its date and how many items it has. */
function HistoryHead({ columns, sides }: SidesProps) {
  const { t, i18n } = useTranslation("boards");
  const count = (kind: HistoryColumn["kind"]) =>
    columns.filter((column) => column.kind === kind).length;
  const groups = (["round", "static"] as const).filter((kind) => count(kind) > 0);
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th rowSpan={2} scope="col">
          {t("table.model")}
        </Table.Th>
        {groups.map((kind, place) => (
          <Table.Th key={kind} scope="colgroup" colSpan={count(kind)} data-apart={place > 0}>
            {t(kind === "round" ? "history.rounds" : "history.static")}
          </Table.Th>
        ))}
      </Table.Tr>
      <Table.Tr>
        {columns.map((column, place) => (
          <Table.Th key={column.version_id} scope="col" ta="end" {...sides[place]}>
            {columnName(column, t)}
            <div className={classes.small}>{t("table.items", { count: column.items })}</div>
            <div className={classes.small}>
              {t("history.since", { date: formatDate(column.since, i18n.language) })}
            </div>
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}

/** People beside the models, and how far the best model is from them. */
function HistoryFoot({ columns, sides }: SidesProps) {
  const { t, i18n } = useTranslation("boards");
  if (columns.every(({ humans }) => humans?.value == null)) return null;
  return (
    <Table.Tfoot>
      <Table.Tr>
        <Table.Th scope="row">{t("humans.name")}</Table.Th>
        {columns.map(({ version_id: version, humans }, place) => (
          <Table.Td key={version} ta="end" title={whyUnknown(humans)} {...sides[place]}>
            <FigureCell figure={humans} unit="points" />
          </Table.Td>
        ))}
      </Table.Tr>
      <Table.Tr>
        <Table.Th scope="row">{t("humans.gap")}</Table.Th>
        {columns.map(({ version_id: version, gap }, place) => (
          <Table.Td key={version} ta="end" {...sides[place]}>
            {writeFigure(gap, "points", i18n.language)}
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  );
}

/** Why people's level is unknown, each reason once. */
function whyNoPeople(columns: readonly HistoryColumn[]): string[] {
  const reasons = columns.flatMap(({ humans }) =>
    humans?.value === null ? [whyUnknown(humans)] : [],
  );
  return [...new Set(reasons)].filter((reason) => reason !== undefined);
}

/** "Round 2", or the name that a static set was given. */
export function columnName(
  column: HistoryColumn,
  t: ReturnType<typeof useTranslation<"boards">>["t"],
): string {
  if (column.round_number === null) return column.name;
  return t("history.round", { number: column.round_number });
}
