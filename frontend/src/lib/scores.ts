import { formatNumber } from "./format";

/** A figure from 0 to 100 with its 95 % interval. */
export interface ScoreFigures {
  value: number | null;
  low: number | null;
  high: number | null;
}

const LAST_DIGIT = 0.1;

/** "71.4 ± 1.2", or "2.0 (0.4 to 5.6)" where one side of the interval is longer; "–" for no data. */
export function formatScore({ value, low, high }: ScoreFigures, language: string, to: string) {
  const shown = (points: number) => formatNumber(points, language, 1);
  if (value === null) return formatNumber(value, language);
  if (low === null || high === null) return shown(value);
  const [below, above] = [value - low, high - value];
  if (Math.abs(above - below) < LAST_DIGIT) {
    return `${shown(value)} ±\u00a0${shown(Math.max(above, below))}`;
  }
  return `${shown(value)} (${shown(low)} ${to} ${shown(high)})`;
}

/** A p-value as people write it: "0.032", and "< 0.001" from where digits say nothing. */
export function formatPValue(value: number | null, language: string): string {
  if (value === null) return formatNumber(value, language);
  return value < 0.001
    ? `<\u00a0${formatNumber(0.001, language, 3)}`
    : formatNumber(value, language, 3);
}
