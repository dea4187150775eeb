import { expect, test } from "vitest";

import { formatDuration, formatNumber, formatPercent, formatRate, formatRelative } from "./format";

test.each([
  [{ value: 0.2085, part: 83, whole: 398, low: 0.1716, high: 0.2512 }, "21 % ± 4"],
  [{ value: 0.02, part: 3, whole: 150, low: 0.007, high: 0.057 }, "2 % (1 to 6)"],
  [{ value: 0.208, part: 832, whole: 4000, low: 0.1957, high: 0.2209 }, "20.8 % ± 1.3"],
  [{ value: 0.5, part: 1, whole: 2, low: null, high: null }, "50 %"],
  [{ value: null, part: 0, whole: 0, low: null, high: null }, "–"],
])("a rate is written with its interval (%#)", (rate, written) => {
  expect(formatRate(rate, "en", "to").replaceAll("\u00a0", " ")).toBe(written);
});

test("no data is a dash, and zero is zero", () => {
  expect(formatNumber(null, "en")).toBe("–");
  expect(formatPercent(null, "en")).toBe("–");
  expect(formatNumber(0, "en")).toBe("0");
});

test("numbers follow the language", () => {
  expect(formatNumber(1234.5, "de", 1)).toBe("1.234,5");
});

test.each([
  [0, "0:00"],
  [125, "2:05"],
  [3725.9, "1:02:05"],
  [-4, "0:00"],
])("%s seconds read as %s", (seconds, written) => {
  expect(formatDuration(seconds)).toBe(written);
});

test.each([
  ["2026-03-01T12:00:00Z", "now"],
  ["2026-03-01T11:57:00Z", "3 minutes ago"],
  ["2026-03-03T12:00:00Z", "in 2 days"],
])("%s reads as %s", (moment, written) => {
  expect(formatRelative(moment, new Date("2026-03-01T12:00:00Z"), "en")).toBe(written);
});
