import { expect, test } from "vitest";

import { formatOf, labelsOf, NEW_UPLOAD, pairsOf, uploadBody } from "./upload-schema";

test("lines of pairs are read, and a line that is none is told", () => {
  expect(pairsOf("s1 = premise\n\ny=label")).toEqual({ s1: "premise", y: "label" });
  expect(pairsOf("s1")).toBeNull();
  expect(pairsOf(" = x")).toBeNull();
  expect(labelsOf("label: 0 = neutral\nlabel:1=yes")).toEqual({
    label: { 0: "neutral", 1: "yes" },
  });
  expect(labelsOf("0 = neutral")).toBeNull();
});

test("a name tells the format", () => {
  const names = ["a.jsonl", "a.TSV", "a.parquet", "a.txt"];
  expect(names.map(formatOf)).toEqual(["jsonl", "csv", "parquet", null]);
});

test("what was left empty is not sent as a text", () => {
  const body = uploadBody({ ...NEW_UPLOAD, name: "Mine" }, { file: "d", checkOnly: true });
  expect(body).toMatchObject({ tags: null, subtask_of: null, split: null, check_only: true });
  const full = uploadBody(
    { ...NEW_UPLOAD, tags: "a, b", split: "test" },
    { file: "d", checkOnly: false },
  );
  expect(full).toMatchObject({ tags: ["a", "b"], split: "test", columns: {}, labels: {} });
});
