import { expect, test } from "vitest";

import { readConfig } from "../../lib/task-config";
import { makePrediction } from "../../mocks/factories/compose";
import { answerInWords, certainty, labelsIn } from "./values";

const topics = readConfig({
  input: [
    { name: "text", type: "string" },
    { name: "topics", type: "multilabel", labels: ["sport", "money"] },
  ],
  output: [{ name: "topics" }, { name: "shares", type: "prob", reference_name: "topics" }],
});
const free = readConfig({
  input: [{ name: "prompt", type: "string" }],
  output: [
    { name: "reply", type: "string" },
    { name: "sure", type: "prob", single_prob: true },
  ],
});

test("several labels have a share each, and those chosen are known", () => {
  const prediction = makePrediction({
    outputs: { topics: ["sport"] },
    probabilities: { sport: 0.7, money: 0.3 },
  });
  expect(certainty(prediction, topics).byLabel).toEqual({ sport: 0.7, money: 0.3 });
  expect(labelsIn(prediction.outputs, topics)).toEqual(["sport"]);
  expect(labelsIn({ topics: [] }, topics)).toEqual([]);
  expect(answerInWords({ topics: [] }, topics)).toBe("None of these");
});

test("one number says how sure the model was, whatever its field is called", () => {
  const prediction = makePrediction({ outputs: { reply: "Yes.", sure: 0.9 }, probabilities: null });
  expect(certainty(prediction, free)).toEqual({ byLabel: null, ofAnswer: 0.9 });
  // Without a gold answer the model's own output is what it said.
  expect(answerInWords(prediction.outputs, free)).toBe("Yes.");
});
