import type { TFunction } from "i18next";

import { formatNumber } from "../../lib/format";
import type { Figure, MetricColumn } from "./queries";

/** From here on a tenth of an example per second says nothing. */
const FAST = 100;

/** How a number of a metric is written: memory in hundredths of a GiB, most in tenths. */
export function writeFigure(value: number | null, unit: string, language: string): string {
  if (unit === "gib") return formatNumber(value, language, 2);
  const isFast = unit === "examples_per_second" && value !== null && value >= FAST;
  return formatNumber(value, language, isFast ? 0 : 1);
}

/** "69.8 to 72.6", or nothing where no interval is known. */
export function writeInterval(
  { low, high }: Pick<Figure, "low" | "high">,
  unit: string,
  language: string,
  t: TFunction<"boards">,
): string {
  if (low === null || high === null) return "";
  return t("interval", {
    low: writeFigure(low, unit, language),
    high: writeFigure(high, unit, language),
  });
}

/** "2–5", and one number where the rank is sure. */
export function writeRank(rank: { low: number; high: number } | null, language: string): string {
  if (rank === null) return formatNumber(null, language);
  const [low, high] = [formatNumber(rank.low, language), formatNumber(rank.high, language)];
  return rank.low === rank.high ? low : `${low}–${high}`;
}

/** Metrics whose names are words; the others are called the same everywhere. */
const TITLED = [
  "accuracy",
  "macro_f1",
  "squad_f1",
  "exact_match",
  "vqa_accuracy",
  "matthews",
  "wer",
  "throughput",
  "memory",
  "fairness",
  "robustness",
] as const;

/** What people call a metric. */
export function metricTitle(column: MetricColumn, t: TFunction<"boards">): string {
  const known = TITLED.find((name) => name === column.name);
  return known === undefined ? column.title : t(`metric.${known}`);
}

/** A metric's name with its unit, where that is not points. */
export function metricHeader(column: MetricColumn, t: TFunction<"boards">): string {
  const title = metricTitle(column, t);
  if (column.unit === "examples_per_second") return t("unit.perSecond", { title });
  if (column.unit === "gib") return t("unit.gib", { title });
  return title;
}

/** A metric's unit alone, where it is not points. */
export function unitOf({ unit }: MetricColumn, t: TFunction<"boards">): string {
  if (unit === "examples_per_second") return t("unit.perSecondAlone");
  return unit === "gib" ? t("unit.gibAlone") : "";
}

/** The ends of an axis that holds every interval, with a little room. */
export function rangeOf(figures: readonly (Figure | null | undefined)[]): [number, number] {
  const ends = figures.flatMap((figure) =>
    figure?.value == null
      ? []
      : [figure.value, figure.low ?? figure.value, figure.high ?? figure.value],
  );
  if (ends.length === 0) return [0, 1];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = (high - low) * 0.06 || Math.abs(high) * 0.06 || 1;
  return [low - room, high + room];
}
