import { expect, test } from "vitest";

import { formatPValue, formatScore } from "./scores";

test("an interval with even sides is one number, and with uneven ones both ends", () => {
  expect(formatScore({ value: 71.42, low: 70.2, high: 72.6 }, "en", "to")).toBe("71.4 ±\u00a01.2");
  expect(formatScore({ value: 2, low: 0.4, high: 5.6 }, "en", "to")).toBe("2.0 (0.4 to 5.6)");
});

test("what is not known is a dash and never a zero", () => {
  expect(formatScore({ value: null, low: null, high: null }, "en", "to")).toBe("–");
  expect(formatScore({ value: 50, low: null, high: null }, "es", "a")).toBe("50,0");
  expect(formatPValue(null, "en")).toBe("–");
});

test("a small p-value says how small and no more", () => {
  expect(formatPValue(0.0004, "en")).toBe("<\u00a00.001");
  expect(formatPValue(0.0321, "en")).toBe("0.032");
});
