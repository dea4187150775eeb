import { useTranslation } from "react-i18next";

import classes from "./interval-plot.module.css";
import { type IntervalPoint, type IntervalSeries, type PlotRow, spread } from "./plot-rules";

/** Colours repeat after four; with their dashes, sixteen series are told apart. */
const DASHES = ["0", "6 3", "2 3", "8 3 2 3"] as const;
const COLOURS = 4;
/** About as wide as a letter of the plot's type is. */
export const LETTER_WIDTH = 6.6;
const MOST_LETTERS = 18;
const LINE_GAP = 15;

export const colourOf = (index: number) => `var(--db-series-${(index % COLOURS) + 1})`;
export const dashOf = (index: number) =>
  DASHES[(index + Math.floor(index / COLOURS)) % DASHES.length] ?? DASHES[0];
export const shorten = (name: string) =>
  name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name;

interface EndNamesProps {
  series: readonly IntervalSeries[];
  ticks: readonly number[];
  x: number;
  /** Where the plot begins and ends, downwards. */
  room: [number, number];
}

/** The names of the lines where they end, kept apart. */
export function EndNames({ series, ticks, x, room: [top, bottom] }: EndNamesProps) {
  const [first, last] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const ends = series.map(({ points }) => points.findLast(({ y }) => y !== null)?.y ?? first);
  const places = ends.map((y) => bottom - ((y - first) / (last - first)) * (bottom - top));
  const free = spread(places, LINE_GAP, [top, bottom]);
  return (
    <g aria-hidden>
      {series.map(({ name }, index) => (
        <text key={name} x={x} y={(free[index] ?? 0) + 4} style={{ fill: colourOf(index) }}>
          {shorten(name)}
        </text>
      ))}
    </g>
  );
}

/** The names before the plot, where they do not fit beside their lines. */
export function Names({ names }: { names: readonly string[] }) {
  return (
    <ul className={classes.names}>
      {names.map((name, index) => (
        <li key={name} style={{ color: colourOf(index) }}>
          <svg width="24" height="8" aria-hidden>
            <line
              x1="0"
              x2="24"
              y1="4"
              y2="4"
              stroke="currentcolor"
              strokeWidth="2"
              strokeDasharray={dashOf(index)}
            />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

interface TipProps {
  row: PlotRow | undefined;
  names: readonly { name: string }[];
  formatY: (value: number) => string;
}

/** What a place says when it is pointed at, or reached with the arrow keys. */
export function Tip({ row, names, formatY }: TipProps) {
  const { t } = useTranslation("plots");
  if (row === undefined) return null;
  const write = ({ y, low, high }: IntervalPoint) =>
    low === null || high === null
      ? formatY(y ?? 0)
      : t("interval", { value: formatY(y ?? 0), low: formatY(low), high: formatY(high) });
  return (
    <div className={classes.tip} role="status">
      <p>{row.label}</p>
      {row.points.map((point, index) =>
        point?.y == null ? null : (
          <p key={names[index]?.name} style={{ color: colourOf(index) }}>
            {names.length > 1 ? `${names[index]?.name ?? ""}: ` : ""}
            {write(point)}
          </p>
        ),
      )}
    </div>
  );
}
