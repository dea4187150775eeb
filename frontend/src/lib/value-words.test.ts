import { expect, test } from "vitest";

import type { DrawnField } from "./task-config";
import { namedValuesInWords, valueInWords, valuesInWords } from "./value-words";

const topics: DrawnField = { name: "topics", type: "multilabel", labels: ["sport", "money"] };
const marks: DrawnField = { name: "marks", type: "spans", reference_name: "text" };
const rating: DrawnField = { name: "rating", type: "rating", max: 7 };

test.each<[unknown, DrawnField | undefined, string | null]>([
  ["yes", undefined, "yes"],
  ["", undefined, null],
  [null, topics, null],
  [["sport", "money"], topics, "sport, money"],
  [[], topics, "None of these"],
  [[], marks, "Nothing to mark"],
  [[{ text: "Ada", start: 0, end: 3, label: "person" }], marks, "“Ada” (person)"],
  [[{ text: "Ada", start: 0, end: 3 }], marks, "“Ada”"],
  [{ text: "Ada", start: 0, end: 3 }, undefined, "Ada"],
  [0, { name: "count", type: "number" }, "0"],
  [4, rating, "4 of 7"],
  ["not_applicable", rating, "Not applicable"],
  [{ media: "a".repeat(64), alt: "A red kite" }, { name: "shot", type: "image" }, "A red kite"],
  [{ media: "a".repeat(64), alt: "" }, { name: "shot", type: "image" }, "A picture"],
  [
    [{ text: "Hi", candidates: [], choice: null }],
    { name: "talk", type: "chat" },
    "A conversation of 1 turn",
  ],
  [{ yes: 0.5, no: 0.5 }, undefined, null],
])("a value is put into words (%#)", (value, field, words) => {
  expect(valueInWords(value, field)).toBe(words);
});

test("several values follow each other in the fields' order", () => {
  expect(valuesInWords({ rating: 3, topics: ["money"] }, [topics, marks, rating])).toBe(
    "money, 3 of 7",
  );
  expect(valuesInWords({}, [topics])).toBeNull();
});

test("the values of several fields can be told apart", () => {
  const values = { rating: 3, topics: ["money"] };
  expect(namedValuesInWords(values, [topics, rating])).toBe("Topics: money · Rating: 3 of 7");
  expect(namedValuesInWords(values, [topics])).toBe("money");
  expect(namedValuesInWords({}, [topics, rating])).toBeNull();
});
