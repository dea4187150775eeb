/** One estimate; `y`, `low` and `high` are null where there is no data, never 0. */
export interface IntervalPoint {
  /** A number (a count, a moment in milliseconds) or the name of a category. */
  x: number | string;
  y: number | null;
  low: number | null;
  high: number | null;
  /** What the table calls this place on the axis: "Round 2", "3 May 2026". */
  label: string;
}

/** One line, or one set of whiskers; its name stands beside it. */
export interface IntervalSeries {
  name: string;
  points: readonly IntervalPoint[];
}

/** A value worth comparing with, drawn across the plot: "people: 87 %". */
export interface ReferenceValue {
  value: number;
  label: string;
}

/** What the drawing reads: one place on the axis with each series that has a point there. */
export interface PlotRow {
  at: number;
  label: string;
  points: (IntervalPoint | null)[];
}

const WANTED_TICKS = 5;
/** How far apart the whiskers of two series stand within one category. */
const STEP_ASIDE = 0.18;

/** The categories in the order in which they first appear. */
export function categoriesOf(series: readonly IntervalSeries[]): string[] {
  return [...new Set(series.flatMap(({ points }) => points.map(({ x }) => String(x))))];
}

/** Rows by place: along a line series share a place, whiskers stand beside each other. */
export function rowsOf(series: readonly IntervalSeries[], isLine: boolean): PlotRow[] {
  const categories = categoriesOf(series);
  const rows = new Map<number, PlotRow>();
  series.forEach(({ points }, index) => {
    const aside = isLine ? 0 : (index - (series.length - 1) / 2) * STEP_ASIDE;
    for (const point of points) {
      const place = typeof point.x === "number" && isLine ? point.x : placeIn(categories, point.x);
      const at = place + aside;
      const row = rows.get(at) ?? { at, label: point.label, points: series.map(() => null) };
      row.points[index] = point;
      rows.set(at, row);
    }
  });
  return [...rows.values()].toSorted((one, other) => one.at - other.at);
}

function placeIn(categories: readonly string[], x: number | string): number {
  return categories.indexOf(String(x));
}

/** At most so many of the places, evenly spaced, the first and the last among them. */
export function someOf(places: readonly number[], most: number): number[] {
  if (places.length <= most) return [...places];
  const step = (places.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => places[Math.round(index * step)] ?? 0);
}

/** Round numbers from below the lowest to above the highest: steps of 1, 2 or 5 times ten. */
export function ticksBetween(lowest: number, highest: number): number[] {
  const span = highest > lowest ? highest - lowest : Math.max(Math.abs(highest), 1);
  const rough = span / WANTED_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(lowest / step + 1e-9);
  const last = Math.max(Math.ceil(highest / step - 1e-9), first + 1);
  // What floating point adds behind the last digit would be written on the axis.
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

/** The ticks of the values' axis: all points, intervals and reference values lie within. */
export function valueTicks(
  series: readonly IntervalSeries[],
  references: readonly ReferenceValue[],
  within: readonly [number | null, number | null],
): number[] {
  const values = [
    ...series.flatMap(({ points }) => points.flatMap(({ y, low, high }) => [y, low, high])),
    ...references.map(({ value }) => value),
  ].filter((value) => value !== null);
  const [from, to] = within;
  const lowest = Math.min(from ?? Infinity, ...values);
  const highest = Math.max(to ?? -Infinity, ...values);
  return Number.isFinite(lowest) && Number.isFinite(highest)
    ? ticksBetween(lowest, highest)
    : [0, 1];
}

/** Keep names that would cover each other apart, in the order in which their lines end. */
export function spread(places: readonly number[], gap: number, [top, bottom]: [number, number]) {
  const order = places
    .map((_, index) => index)
    .toSorted((one, other) => {
      return (places[one] ?? 0) - (places[other] ?? 0);
    });
  const free: number[] = [...places];
  let last = top - gap;
  for (const index of order) {
    last = Math.max(free[index] ?? 0, last + gap);
    free[index] = last;
  }
  let next = bottom + gap;
  for (const index of order.toReversed()) {
    next = Math.min(free[index] ?? 0, next - gap);
    free[index] = next;
  }
  return free;
}
