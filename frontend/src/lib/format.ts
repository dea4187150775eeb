const NO_BREAK_SPACE = "\u00a0";
const NO_DATA = "–";

/** A number in the reader's language; "–" for no data, which is never 0. */
export function formatNumber(value: number | null, language: string, digits = 0): string {
  if (value === null) return NO_DATA;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(language, options).format(value);
}

/** A share of 1 as per cent: 0.21 is "21 %". */
export function formatPercent(share: number | null, language: string, digits = 0): string {
  if (share === null) return NO_DATA;
  return `${formatNumber(share * 100, language, digits)}${NO_BREAK_SPACE}%`;
}

export interface RateFigures {
  value: number | null;
  part: number;
  whole: number;
  low: number | null;
  high: number | null;
}

/**
 * "21 % ± 4", or "2 % (1 to 6)" where one side of the interval is longer by as much as the
 * last digit shown; the ± is the longer side. From a thousand on one decimal is kept.
 */
export function formatRate(rate: RateFigures, language: string, to: string): string {
  if (rate.value === null) return NO_DATA;
  const digits = rate.whole >= 1000 ? 1 : 0;
  const percent = formatPercent(rate.value, language, digits);
  if (rate.low === null || rate.high === null) return percent;
  const inPoints = (share: number) => formatNumber(share * 100, language, digits);
  const below = rate.value - rate.low;
  const above = rate.high - rate.value;
  const lastDigit = 0.01 / 10 ** digits;
  if (Math.abs(above - below) < lastDigit) {
    return `${percent} ±${NO_BREAK_SPACE}${inPoints(Math.max(above, below))}`;
  }
  return `${percent} (${inPoints(rate.low)} ${to} ${inPoints(rate.high)})`;
}

export function formatDate(moment: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(moment));
}

export function formatTime(moment: string, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(new Date(moment));
}

export function formatDateTime(moment: string, language: string): string {
  const options = { dateStyle: "medium", timeStyle: "short" } as const;
  return new Intl.DateTimeFormat(language, options).format(new Date(moment));
}

/** "3 days ago", "in 2 hours": the largest unit that is at least one. */
export function formatRelative(moment: string, now: Date, language: string): string {
  const seconds = (new Date(moment).getTime() - now.getTime()) / 1000;
  const units = [
    ["year", 31_536_000],
    ["month", 2_592_000],
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ] as const;
  const formatter = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return formatter.format(Math.trunc(seconds / length), unit);
  }
  return formatter.format(Math.trunc(seconds), "second");
}

/** Minutes and seconds as "2:05", with hours from one on as "1:02:05". */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const twoDigits = (count: number) => String(count).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = `${hours > 0 ? twoDigits(minutes) : minutes}:${twoDigits(whole % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
