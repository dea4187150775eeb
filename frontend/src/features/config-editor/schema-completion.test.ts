import { expect, test } from "vitest";

import { type ConfigSchema, suggest } from "./schema-completion";
import { placeAt } from "./yaml-place";

const field = (type: string, own: Record<string, ConfigSchema>): ConfigSchema => ({
  type: "object",
  properties: { name: { $ref: "#/$defs/name" }, type: { const: type }, ...own },
  required: ["name", "type"],
});
const schema: ConfigSchema = {
  type: "object",
  properties: {
    title: { type: "string", description: "What the task is called." },
    input: { type: "array", items: { $ref: "#/$defs/field" } },
    model_wrong_metric: {
      oneOf: [
        {
          type: "object",
          properties: {
            type: { const: "exact_match" },
            reference_names: { type: "array", items: { $ref: "#/$defs/name" } },
          },
        },
        { type: "object", properties: { type: { const: "ask_user" } } },
      ],
    },
  },
  required: ["input"],
  $defs: {
    name: { type: "string" },
    field: {
      oneOf: [
        field("string", { multiline: { type: "boolean" } }),
        field("multiclass", { labels: { type: "array" } }),
      ],
    },
  },
};

/** What is suggested where `|` stands. */
function labelsAt(marked: string): string[] {
  const offset = marked.indexOf("|");
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  return suggest(schema, text, offset).map(({ label }) => label);
}

test.each([
  ["|", ["title", "input", "model_wrong_metric"]],
  ["title: A\nin|", ["input", "model_wrong_metric"]],
  ["|\ntitle: A", ["input", "model_wrong_metric"]],
  ["input:\n  - |", ["name", "type", "multiline", "labels"]],
  ["input:\n  - name: a\n    |", ["type", "multiline", "labels"]],
  ["input:\n  - name: a\n    type: multiclass\n    |", ["labels"]],
  ["input:\n- name: a\n  |\n  type: string\ntitle: B", ["multiline"]],
  ["input:\n  - {name: a, |, type: multiclass}", ["labels"]],
  ["input:\n  - {name: a, ty|", ["type", "multiline", "labels"]],
  ["input:\n  - {name: a, type: |", ["string", "multiclass"]],
  ["input:\n  - name: a\n    type: mul|", ["string", "multiclass"]],
  ["input:\n  - {name: a, type: string, multiline: |}", ["true", "false"]],
  [
    "input:\n  - {name: a, type: string}\n  - {\n    name: b,\n    |",
    ["type", "multiline", "labels"],
  ],
  ["input: [{name: a}]\nmodel_wrong_metric: {type: exact_match, reference_names: [|]}", ["a"]],
  ["input: [{name: a}]\nmodel_wrong_metric:\n  reference_names:\n    - |", ["a"]],
  ["model_wrong_metric:\n  type: ask_user\n  |", []],
  ["input:\n  - name: a\n\n|", ["title", "model_wrong_metric"]],
  ["title: |", []],
])("in %j one may write %j", (marked, expected) => {
  expect(labelsAt(marked)).toEqual(expected);
});

test("what is required and described says so", () => {
  expect(suggest(schema, "", 0)).toEqual([
    expect.objectContaining({ label: "title", description: "What the task is called." }),
    expect.objectContaining({ label: "input", text: "input: ", isRequired: true }),
    expect.objectContaining({ label: "model_wrong_metric", isRequired: false }),
  ]);
});

test("the words of a text over several lines are no keys", () => {
  const text = "instructions: |\n  Note: be kind.\n\n  type: x\ntitle: A\n";
  expect(placeAt(text, text.length).siblings).toEqual({ instructions: "|", title: "A" });
});

test.each(["{", "}}}]", "- - -", "a: [b: {", '"', "a: 'b\n c", "\t- x:", "- ]\n  a:"])(
  "nothing that is typed breaks it: %j",
  (text) => {
    for (let offset = 0; offset <= text.length; offset++) {
      expect(Array.isArray(suggest(schema, text, offset))).toBe(true);
    }
  },
);
