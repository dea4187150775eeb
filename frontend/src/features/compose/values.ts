import type { Schemas } from "../../lib/api-client";
import { isLabelList } from "../../lib/field-values";
import type { DrawnConfig, FieldValues } from "../../lib/task-config";
import { namedValuesInWords, valueInWords } from "../../lib/value-words";

/** The answer to the task's own question, from what a person or a model gave. */
export function answerInWords(values: FieldValues, config: DrawnConfig): string | null {
  return namedValuesInWords(values, config.answers.length > 0 ? config.answers : config.outputs);
}

/** A share for each label, or how sure the model was of its one answer. */
export interface Certainty {
  byLabel: Record<string, number> | null;
  ofAnswer: number | null;
}

/** How sure a model was, where it said so. */
export function certainty(prediction: Schemas["PredictionRead"], config: DrawnConfig): Certainty {
  const shares = Object.entries(prediction.probabilities ?? {});
  if (shares.length > 1) return { byLabel: Object.fromEntries(shares), ofAnswer: null };
  const single = shares[0]?.[1] ?? prediction.outputs[config.probability?.name ?? "prob"];
  return { byLabel: null, ofAnswer: typeof single === "number" ? single : null };
}

/** The labels among an answer's values: those that have a share of their own. */
export function labelsIn(values: FieldValues, config: DrawnConfig): string[] {
  const named = config.probability?.referenceName;
  const fields = config.outputs.filter(({ name, type }) =>
    named === undefined || named === null ? type === "multiclass" : name === named,
  );
  return fields.flatMap(({ name }) => {
    const value = values[name];
    if (typeof value === "string") return [value];
    return isLabelList(value) ? [...value] : [];
  });
}

/** The whole context, as it is read out when it comes in place of another. */
export function contextInWords(content: FieldValues, config: DrawnConfig): string {
  return config.context.map((field) => valueInWords(content[field.name], field) ?? "").join(" ");
}
