import "../../lib/i18n/later/plots";

import { Skeleton, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { lazy, Suspense, useId } from "react";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { formatNumber } from "../../lib/format";
import classes from "./interval-plot.module.css";
import type { IntervalPoint, IntervalSeries, ReferenceValue } from "./plot-rules";

export type { IntervalPoint, IntervalSeries, ReferenceValue } from "./plot-rules";

const IntervalDrawing = lazy(async () => {
  const { IntervalDrawing: component } = await import("./interval-drawing");
  return { default: component };
});

/** Lines with bands over numbers or time, whiskers over categories, or whiskers by row. */
export type PlotKind = "lines" | "whiskers" | "rows";

export interface IntervalPlotProps {
  title: string;
  /** How the numbers are counted, or what to be careful about; a sentence under the title. */
  note?: string;
  kind: PlotKind;
  xTitle: string;
  yTitle: string;
  /** In the order they are drawn; beyond four the colours begin again, with other dashes. */
  series: readonly IntervalSeries[];
  references?: readonly ReferenceValue[];
  /** A value in words, on the axis and in the table: "21 %". */
  formatY?: (value: number) => string;
  /** A number of the horizontal axis in words, such as a day; without it the number itself. */
  formatX?: (value: number) => string;
  /** Ends of the values' axis that are always shown, such as 0; null follows the data. */
  within?: readonly [number | null, number | null];
  /** What stands instead of a plot of nothing. */
  empty?: string;
  height?: number;
}

export const PLOT_HEIGHT = 260;
const ROW_HEIGHT = 28;
const ROWS_ROOM = 90;

/** Estimates with their intervals: drawn, named directly, and as a table one click away. */
export function IntervalPlot(props: IntervalPlotProps) {
  const { title, note, kind, series, empty } = props;
  const { t, i18n } = useTranslation("plots");
  const { ref, width } = useElementSize();
  const id = useId();
  const formatY = props.formatY ?? ((value: number) => formatNumber(value, i18n.language, 2));
  const places = new Set(series.flatMap(({ points }) => points.map(({ x }) => x))).size;
  const height = props.height ?? (kind === "rows" ? ROWS_ROOM + ROW_HEIGHT * places : PLOT_HEIGHT);
  const isEmpty = series.every(({ points }) => points.every(({ y }) => y === null));
  return (
    <figure className={classes.figure} aria-labelledby={id}>
      <figcaption id={id} className={classes.caption}>
        {title}
      </figcaption>
      {note !== undefined && (
        <Text size="sm" c="dimmed" mb={4}>
          {note}
        </Text>
      )}
      {!isEmpty && kind !== "rows" && (
        <Text size="sm" c="dimmed" aria-hidden>
          {props.yTitle}
        </Text>
      )}
      <div ref={ref} className={classes.room}>
        {isEmpty ? (
          <Text c="dimmed">{empty ?? t("empty")}</Text>
        ) : (
          <Suspense fallback={<Skeleton height={height} />}>
            <IntervalDrawing
              {...props}
              formatY={formatY}
              height={height}
              width={Math.floor(width)}
              references={props.references ?? []}
              within={props.within ?? [null, null]}
            />
          </Suspense>
        )}
      </div>
      {!isEmpty && <PlotTable {...props} formatY={formatY} />}
    </figure>
  );
}

interface TableRow {
  key: string;
  name: string;
  point: IntervalPoint;
}

/** The same numbers as a table: one row per place and series. */
function PlotTable(props: IntervalPlotProps & { formatY: (value: number) => string }) {
  const { title, xTitle, yTitle, series, references = [], formatY } = props;
  const { t } = useTranslation("plots");
  const write = (value: number | null) => (value === null ? "–" : formatY(value));
  const rows: TableRow[] = series.flatMap(({ name, points }) =>
    points.map((point) => ({ key: `${name} ${point.x}`, name, point })),
  );
  return (
    <details className={classes.table}>
      <summary>{t("table")}</summary>
      <DataTable
        caption={title}
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          { key: "x", header: xTitle, cell: ({ point }) => point.label },
          ...(series.length > 1
            ? [{ key: "series", header: t("series"), cell: ({ name }: TableRow) => name }]
            : []),
          { key: "y", header: yTitle, isNumber: true, cell: ({ point }) => write(point.y) },
          { key: "low", header: t("low"), isNumber: true, cell: ({ point }) => write(point.low) },
          {
            key: "high",
            header: t("high"),
            isNumber: true,
            cell: ({ point }) => write(point.high),
          },
        ]}
      />
      {references.map(({ value, label }) => (
        <Text key={label} size="sm">
          {t("reference", { label, value: formatY(value) })}
        </Text>
      ))}
    </details>
  );
}
