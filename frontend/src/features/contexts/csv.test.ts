import { expect, test } from "vitest";

import { contextsFromCsv, readCsv } from "./csv";

test("cells in quotes hold commas, quotes and line ends, and each record knows its line", () => {
  const text = '\uFEFFpremise,tag\r\n"One, ""two""\nand three",news\r\n\r\nFour,\r\n';
  expect(readCsv(text)).toEqual([
    { line: 1, cells: ["premise", "tag"] },
    { line: 2, cells: ['One, "two"\nand three', "news"] },
    { line: 5, cells: ["Four", ""] },
  ]);
});

test("columns become the context's fields, the tag and the metadata", () => {
  const { lines, origins, missing } = contextsFromCsv(
    "premise,tag,source\nIt rains.,news,radio\nIt snows.,,\n",
    ["premise"],
  );
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { context: { premise: "It rains." }, tag: "news", metadata: { source: "radio" } },
    { context: { premise: "It snows." }, metadata: {} },
  ]);
  expect(origins).toEqual([2, 3]);
  expect(missing).toEqual([]);
});

test("a field that is no column is named", () => {
  expect(contextsFromCsv("text\nIt rains.\n", ["premise"]).missing).toEqual(["premise"]);
  expect(contextsFromCsv("", ["premise"]).missing).toEqual(["premise"]);
});
