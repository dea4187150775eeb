import { useReducedMotion } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  ErrorBar,
  Line,
  ReferenceLine,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";

import type { IntervalPlotProps } from "./interval-plot";
import classes from "./interval-plot.module.css";
import { colourOf, dashOf, EndNames, LETTER_WIDTH, Names, shorten, Tip } from "./plot-marks";
import {
  categoriesOf,
  type PlotRow,
  type ReferenceValue,
  rowsOf,
  someOf,
  valueTicks,
} from "./plot-rules";

interface IntervalDrawingProps extends IntervalPlotProps {
  formatY: (value: number) => string;
  width: number;
  height: number;
  references: readonly ReferenceValue[];
  within: readonly [number | null, number | null];
}

/** From here on names fit beside their lines. */
const WIDE = 480;
/** With more points than this the dots would hide the line. */
const MOST_DOTTED = 40;
const AXIS_HEIGHT = 44;
const AXIS_WIDTH = 56;
const MARGIN = 12;
const TICK_WIDTH = 96;

/** The error bar's arms: how far the interval reaches below and above the value. */
function arms(index: number) {
  return ({ points }: PlotRow): [number, number] | null => {
    const point = points[index] ?? null;
    if (point?.y == null || point.low === null || point.high === null) return null;
    return [point.y - point.low, point.high - point.y];
  };
}

function band(index: number) {
  return ({ points }: PlotRow): [number, number] | null => {
    const point = points[index] ?? null;
    return point?.low == null || point.high === null ? null : [point.low, point.high];
  };
}

/** The drawing itself, a chunk of its own because its library is large. */
export function IntervalDrawing(props: IntervalDrawingProps) {
  const { kind, series, references, width, height, formatY, title } = props;
  const { t } = useTranslation("plots");
  const isStill = useReducedMotion();
  const isLine = kind === "lines";
  const rows = rowsOf(series, isLine);
  // A band needs two places; a single estimate has whiskers.
  const isBand = isLine && rows.length > 1;
  const ticks = valueTicks(series, references, props.within);
  const isNamedBeside = isLine && series.length > 1 && width >= WIDE;
  const longest = Math.max(...series.map(({ name }) => shorten(name).length));
  const right = isNamedBeside ? longest * LETTER_WIDTH + 2 * MARGIN : MARGIN;
  const label = t("label", { title, count: rows.length, series: seriesNames(props) });
  return (
    <div className={classes.drawing}>
      {series.length > 1 && !isNamedBeside && <Names names={series.map(({ name }) => name)} />}
      <ComposedChart
        width={width}
        height={height}
        data={rows}
        layout={kind === "rows" ? "vertical" : "horizontal"}
        margin={{ top: MARGIN, right, bottom: MARGIN, left: MARGIN }}
        aria-label={`${label} ${t("keys")}`}
      >
        <CartesianGrid
          stroke="var(--db-rule)"
          vertical={kind === "rows"}
          horizontal={kind !== "rows"}
        />
        {axes(props, rows, ticks)}
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--db-border)" }}
          content={({ payload }) => (
            <Tip row={payload[0]?.payload as PlotRow | undefined} names={series} {...{ formatY }} />
          )}
        />
        {references.map(({ value, label: name }) => (
          <ReferenceLine
            key={name}
            {...(kind === "rows" ? { x: value } : { y: value })}
            stroke="var(--db-border)"
            strokeDasharray="4 4"
            label={{ value: name, position: "insideBottomLeft" }}
          />
        ))}
        {isBand &&
          series.map(({ name }, index) => (
            <Area
              key={name}
              dataKey={band(index)}
              stroke="none"
              fill={colourOf(index)}
              fillOpacity={0.15}
              activeDot={false}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        {series.map(({ name }, index) => (
          <Line
            key={name}
            name={name}
            dataKey={({ points }: PlotRow) => points[index]?.y ?? null}
            type="linear"
            stroke={isLine ? colourOf(index) : "none"}
            strokeWidth={1.5}
            strokeDasharray={dashOf(index)}
            dot={dotOf(index, isLine && rows.length > MOST_DOTTED)}
            connectNulls={isLine}
            isAnimationActive={isLine && !isStill && !isNamedBeside}
          >
            {!isBand && (
              <ErrorBar
                dataKey={arms(index)}
                width={4}
                stroke={colourOf(index)}
                strokeWidth={1.5}
                isAnimationActive={false}
              />
            )}
          </Line>
        ))}
        {isNamedBeside && (
          <EndNames
            series={series}
            ticks={ticks}
            x={width - right + MARGIN / 2}
            room={[MARGIN, height - MARGIN - AXIS_HEIGHT]}
          />
        )}
      </ComposedChart>
    </div>
  );
}

function dotOf(index: number, isHidden: boolean) {
  return isHidden
    ? false
    : { r: 3, fill: colourOf(index), stroke: colourOf(index), strokeDasharray: "0" };
}

function seriesNames({ series, yTitle }: IntervalDrawingProps): string {
  return series.length > 1 ? series.map(({ name }) => name).join(", ") : yTitle;
}

/** Both axes; in rows the values lie along the bottom and the categories down the side. */
function axes(props: IntervalDrawingProps, rows: readonly PlotRow[], ticks: readonly number[]) {
  const { kind, series, width, formatX, formatY, xTitle, yTitle } = props;
  const isNumber = kind === "lines" && typeof series[0]?.points[0]?.x === "number";
  const categories = categoriesOf(series);
  const first = ticks[0] ?? 0;
  const last = ticks.at(-1) ?? 1;
  const values = {
    type: "number",
    domain: [first, last],
    ticks: [...ticks],
    tickFormatter: formatY,
    allowDataOverflow: true,
  } as const;
  const along = isNumber
    ? {
        domain: [rows[0]?.at ?? 0, rows.at(-1)?.at ?? 1],
        ticks: someOf(
          rows.map(({ at }) => at),
          Math.max(2, Math.floor(width / TICK_WIDTH)),
        ),
        tickFormatter: formatX ?? String,
      }
    : {
        domain: [-0.5, categories.length - 0.5],
        ticks: categories.map((_, index) => index),
        tickFormatter: (index: number) => shorten(categories[index] ?? ""),
        interval: kind === "rows" ? (0 as const) : ("equidistantPreserveStart" as const),
      };
  const places = { type: "number", dataKey: "at", ...along } as const;
  const stroke = "var(--db-border)";
  const widest = Math.max(...categories.map((name) => shorten(name).length));
  const side =
    kind === "rows" ? Math.max(AXIS_WIDTH, widest * LETTER_WIDTH + 2 * MARGIN) : AXIS_WIDTH;
  const bottomTitle = kind === "rows" ? yTitle : xTitle;
  return (
    <>
      <XAxis
        {...(kind === "rows" ? values : places)}
        height={AXIS_HEIGHT}
        stroke={stroke}
        minTickGap={16}
        label={{ value: bottomTitle, position: "insideBottom" }}
      />
      <YAxis {...(kind === "rows" ? places : values)} width={side} stroke={stroke} />
    </>
  );
}
