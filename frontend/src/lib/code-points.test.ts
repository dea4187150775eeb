import { expect, test } from "vitest";

import { countCodePoints, toCodePointOffset, toUnitOffset } from "./code-points";

const text = "a🚲b👩‍👩‍👧é";

test("there and back is the same place, at every character", () => {
  const points = Array.from(text);
  expect(countCodePoints(text)).toBe(points.length);
  points.forEach((_, index) => {
    const unit = points.slice(0, index).join("").length;
    expect(toUnitOffset(text, index)).toBe(unit);
    expect(toCodePointOffset(text, unit)).toBe(index);
  });
});

test("an offset past the end is the end", () => {
  expect(toCodePointOffset("ab", 9)).toBe(2);
  expect(toUnitOffset("ab", 9)).toBe(2);
});
