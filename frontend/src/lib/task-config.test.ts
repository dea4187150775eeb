import { expect, test } from "vitest";

import { inLanguage } from "./local-text";
import { fieldTitle, readConfig, textAttributes } from "./task-config";

test("a config's fields are sorted by who fills them in", () => {
  const config = readConfig({
    context: [{ name: "premise", type: "string" }],
    input: [
      { name: "hypothesis", type: "string" },
      { name: "label", type: "multiclass", labels: ["yes", "no"] },
    ],
    output: [{ name: "label" }, { name: "prob", type: "prob", reference_name: "label" }],
    metadata: { create: [{ name: "why", type: "string" }] },
    model_wrong_metric: { type: "ask_user" },
    goal_message: "Fool it.",
  });
  const names = (fields: readonly { name: string }[]) => fields.map((field) => field.name);
  expect(names(config.context)).toEqual(["premise"]);
  expect(names(config.inputs)).toEqual(["hypothesis"]);
  expect(names(config.answers)).toEqual(["label"]);
  expect(names(config.createMetadata)).toEqual(["why"]);
  expect(config.validateMetadata).toEqual([]);
  expect(config.goalMessage).toBe("Fool it.");
  expect(config.contentWarning).toBeNull();
  expect(config.asksUser).toBe(true);
});

test("what a config leaves open on the wire is absent from its fields", () => {
  const config = readConfig({
    metadata: {
      create: [{ name: "why", type: "string", language: null, model_wrong_condition: null }],
    },
    asks_author: true,
  });
  expect(config.createMetadata).toEqual([{ name: "why", type: "string" }]);
  expect(config.asksUser).toBe(true);
});

test.each([
  ["Fool it.", "de", "Fool it."],
  [{ en: "Fool it.", de: "Täusche es." }, "de-AT", "Täusche es."],
  [{ en: "Fool it.", de: "Täusche es." }, "fr", "Fool it."],
  [{ de: "Täusche es." }, "fr", "Täusche es."],
  [null, "en", ""],
])("a text is read in the reader's language (%#)", (text, language, read) => {
  expect(inLanguage(text, language)).toBe(read);
});

test("a reader whose language is missing reads the task's own", () => {
  const { goalMessage, answers } = readConfig({
    language: "de",
    input: [
      {
        name: "marks",
        type: "spans",
        reference_name: "text",
        display_name: { en: "Marks", de: "Stellen" },
      },
    ],
    output: [{ name: "marks" }],
    goal_message: { en: "Fool it.", de: "Täusche es." },
  });
  expect(inLanguage(goalMessage, "fr")).toBe("Täusche es.");
  expect(inLanguage(goalMessage, "en-GB")).toBe("Fool it.");
  expect(answers.map((field) => fieldTitle(field, "fr"))).toEqual(["Stellen"]);
});

test("what a model answers is drawn apart from how sure it is", () => {
  const { outputs, probability } = readConfig({
    input: [{ name: "topics", type: "multilabel", labels: ["sport"] }],
    output: [
      { name: "topics" },
      { name: "reply", type: "string", language: "ar", direction: "rtl" },
      { name: "sure", type: "prob", reference_name: "topics" },
    ],
  });
  expect(outputs.map(({ type }) => type)).toEqual(["multilabel", "string"]);
  expect(probability).toEqual({ name: "sure", referenceName: "topics" });
  expect(textAttributes(outputs[1])).toEqual({ lang: "ar", dir: "rtl" });
  expect(textAttributes(outputs[0])).toEqual({ dir: "auto" });
});

test("a field without a name for people gets one", () => {
  expect(fieldTitle({ name: "model_explanation" }, "en")).toBe("Model explanation");
});
