import { expect, test } from "vitest";

import { isInText, levelsOf, moveSpans, segmentsOf, withSpan } from "./spans";

const text = "Ada 🚲 rode to Bath.";
const ada = { text: "Ada", start: 0, end: 3, label: "person" };
const bath = { text: "Bath", start: 14, end: 18, label: "place" };

test("offsets are code points of the text", () => {
  expect(isInText(text, bath)).toBe(true);
  expect(isInText(text, { ...bath, start: 15, end: 19 })).toBe(false);
});

test("spans are kept in the order in which they are stored, and none twice", () => {
  const both = withSpan(withSpan([], bath), ada);
  expect(both).toEqual([ada, bath]);
  expect(withSpan(both, { ...bath })).toHaveLength(2);
  expect(withSpan([ada], { ...ada, label: "author" }).map(({ label }) => label)).toEqual([
    "author",
    "person",
  ]);
});

test.each([
  ["words before a span move it", "Oh, Ada 🚲 rode to Bath.", ["Ada", "Bath"], [4, 18]],
  ["an edit between spans moves those behind it", "Ada rode to Bath.", ["Ada", "Bath"], [0, 12]],
  ["an edit behind all spans moves none", "Ada 🚲 rode to Bath!", ["Ada", "Bath"], [0, 14]],
  ["a span whose words are changed is gone", "Ada 🚲 rode to Both.", ["Ada"], [0]],
  ["an emptied text has no spans", "", [], []],
])("%s", (_, after, words, starts) => {
  const moved = moveSpans([ada, bath], text, after);
  expect(moved.map((span) => span.text)).toEqual(words);
  expect(moved.map(({ start }) => start)).toEqual(starts);
  expect(moved.every((span) => isInText(after, span))).toBe(true);
});

test("a text is cut where spans begin and end, and put together it is the text", () => {
  const spans = [
    { text: "Ada 🚲", start: 0, end: 5 },
    { text: "🚲 rode", start: 4, end: 10 },
  ];
  const segments = segmentsOf(text, spans);
  expect(segments.map((segment) => segment.text).join("")).toBe(text);
  expect(segments.map(({ covering }) => covering)).toEqual([[0], [0, 1], [1], []]);
  expect(segments.map(({ opened }) => opened)).toEqual([[0], [1], [], []]);
  expect(segments.map(({ closed }) => closed)).toEqual([[], [0], [1], []]);
});

test("overlapping spans are drawn on lines of their own", () => {
  const at = (start: number, end: number) => ({ text: "", start, end });
  expect(levelsOf([at(0, 5), at(2, 8), at(5, 9), at(8, 9)])).toEqual([0, 1, 0, 1]);
});
