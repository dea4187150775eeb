import type { Schemas } from "../../lib/api-client";
import { type DrawnConfig, type FieldValues, isSelection } from "../../lib/task-config";

/** One value as people read it; null for what is no answer in words (probabilities). */
export function valueInWords(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  return isSelection(value) ? value.text : null;
}

/** The answer to the task's own question, from what a person or a model gave. */
export function answerInWords(values: FieldValues, config: DrawnConfig): string | null {
  const names = config.answers.map((field) => field.name);
  const asked = names.length > 0 ? names : Object.keys(values).filter((name) => name !== "prob");
  const words = asked.map((name) => valueInWords(values[name])).filter((word) => word !== null);
  return words.length > 0 ? words.join(", ") : null;
}

/** What was written, without what was selected or chosen. */
export function writtenText(inputs: FieldValues, config: DrawnConfig): string[] {
  const isAnswer = new Set(config.answers.map((field) => field.name));
  return Object.entries(inputs)
    .filter(([name]) => !isAnswer.has(name))
    .map(([, value]) => valueInWords(value))
    .filter((text) => text !== null && text !== "") as string[];
}

/** Two or more labels with their probabilities, or how sure the model was of its one answer. */
export function certainty(prediction: Schemas["PredictionRead"]): {
  byLabel: Record<string, number> | null;
  ofAnswer: number | null;
} {
  const shares = Object.entries(prediction.probabilities ?? {});
  if (shares.length > 1) return { byLabel: Object.fromEntries(shares), ofAnswer: null };
  const single = shares[0]?.[1] ?? prediction.outputs.prob;
  return { byLabel: null, ofAnswer: typeof single === "number" ? single : null };
}

/** The whole context, as it is read out when it comes in place of another. */
export function contextInWords(content: FieldValues, config: DrawnConfig): string {
  return config.context.map((field) => valueInWords(content[field.name]) ?? "").join(" ");
}
