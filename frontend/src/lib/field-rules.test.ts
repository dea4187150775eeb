import { expect, test } from "vitest";

import { fieldProblem, scaleSteps } from "./field-rules";
import type { DrawnField } from "./task-config";

const share: DrawnField = { name: "share", type: "number", min: 0, max: 1, step: 0.1 };
const story: DrawnField = { name: "story", type: "string", min_length: 5, max_length: 8 };
const rating: DrawnField = { name: "rating", type: "rating" };

test.each<[DrawnField, unknown, object | null]>([
  [share, 0.3, null],
  [share, -0.1, { key: "tooLow", min: 0 }],
  [share, 1.1, { key: "tooHigh", max: 1 }],
  [share, 0.25, { key: "offStep", step: 0.1, low: 0.2, high: 0.3 }],
  [share, null, null],
  [{ name: "free", type: "number" }, 1.23456, null],
  [story, "", null],
  [story, "  ab  ", { key: "tooShort", count: 6, min: 5 }],
  [story, "🚲🚲🚲🚲🚲", null],
  [story, "123456789", { key: "tooLong", over: 1, max: 8 }],
  [rating, 5, null],
  [rating, 6, { key: "tooHigh", max: 5 }],
  [rating, "not_applicable", null],
  [{ name: "topics", type: "multilabel", labels: ["a"] }, [], null],
])("a value is held against its field (%#)", (field, value, problem) => {
  expect(fieldProblem(field, value)).toEqual(problem);
});

test("a scale has both its ends, whatever its step", () => {
  expect(scaleSteps({ min: 1, max: 3, step: 0.5 })).toEqual([1, 1.5, 2, 2.5, 3]);
  expect(scaleSteps({ min: 0, max: 0.3, step: 0.1 })).toEqual([0, 0.1, 0.2, 0.3]);
});
