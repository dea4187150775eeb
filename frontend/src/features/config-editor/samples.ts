import { countCodePoints } from "../../lib/code-points";
import type { DrawnConfig, DrawnField, FieldValues } from "../../lib/task-config";

/** Types whose values the server keeps or makes: a preview, which sends nothing, has none. */
const NEED_A_SERVER: ReadonlySet<string> = new Set(["image", "audio", "chat"]);

/** What a preview can draw of a config, and the fields that it leaves out. */
export function drawable(config: DrawnConfig): { config: DrawnConfig; left: DrawnField[] } {
  const keep = <Field extends DrawnField>(fields: Field[]) =>
    fields.filter(({ type }) => !NEED_A_SERVER.has(type));
  const every = [...config.context, ...config.inputs, ...config.answers];
  return {
    config: {
      ...config,
      context: keep(config.context),
      inputs: keep(config.inputs),
      answers: keep(config.answers),
      createMetadata: keep(config.createMetadata),
      validateMetadata: keep(config.validateMetadata),
    },
    left: every.filter(({ type }) => NEED_A_SERVER.has(type)),
  };
}

/** A value as somebody could have given it; `text` makes the words of a field. */
function sampleOf(
  field: DrawnField,
  text: (field: DrawnField) => string,
  texts: FieldValues,
): unknown {
  switch (field.type) {
    case "string":
      return text(field);
    case "multiclass":
      return field.labels[0] ?? "";
    case "multilabel":
      return field.labels.slice(0, 1);
    case "number":
    case "rating":
      return field.max ?? field.min ?? 1;
    case "context_string_selection":
      return firstWord(texts[field.reference_name]);
    case "spans": {
      const word = firstWord(texts[field.reference_name]);
      return [field.labels?.[0] === undefined ? word : { ...word, label: field.labels[0] }];
    }
    default:
      return null;
  }
}

function firstWord(source: unknown): { text: string; start: number; end: number } {
  const word = typeof source === "string" ? (/^[^\s.,]+/u.exec(source)?.[0] ?? "") : "";
  return { text: word, start: 0, end: countCodePoints(word) };
}

/** A context, and an example about it, for a config's fields. */
export function samplesFor(config: DrawnConfig, text: (field: DrawnField) => string) {
  const fill = (fields: readonly DrawnField[], texts: FieldValues): Record<string, unknown> =>
    Object.fromEntries(fields.map((field) => [field.name, sampleOf(field, text, texts)]));
  const context = fill(config.context, {});
  const inputs = fill(config.inputs, context);
  return { context, inputs, answer: fill(config.answers, { ...context, ...inputs }) };
}
