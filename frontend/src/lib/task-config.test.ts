import { expect, test } from "vitest";

import { fieldTitle, inLanguage, readConfig } from "./task-config";

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

test("a field without a name for people gets one", () => {
  expect(fieldTitle({ name: "model_explanation" }, "en")).toBe("Model explanation");
});
