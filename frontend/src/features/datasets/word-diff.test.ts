import { expect, test } from "vitest";

import { type Piece, wordDiff } from "./word-diff";

const marked = (pieces: readonly Piece[]) =>
  pieces.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join("");

test("changed words are marked on both sides, and nothing is lost", () => {
  const [one, other] = wordDiff("It is not raining today.", "It isn't raining today.");
  expect(marked(one)).toBe("It [is not] raining today.");
  expect(marked(other)).toBe("It [isn't] raining today.");
});

test("white space counts, and equal texts have no mark", () => {
  expect(marked(wordDiff("a b", "a  b")[1])).toBe("a[  ]b");
  expect(marked(wordDiff("a b", "a b")[0])).toBe("a b");
  expect(wordDiff("", "")).toEqual([[], []]);
});

test("very long texts are marked as a whole", () => {
  const long = "word ".repeat(2000);
  const [, other] = wordDiff(long, `${long}more`);
  expect(other).toEqual([{ text: `${long}more`, isChanged: true }]);
});
