import { countCodePoints } from "./code-points";
import { NOT_APPLICABLE } from "./field-values";
import type { DrawnField, NumberField, RatingField, StringField } from "./task-config";

/** What is wrong with a value, as the key of a sentence under `field` and its figures. */
export type FieldProblem =
  | { key: "tooLong"; over: number; max: number }
  | { key: "tooShort"; count: number; min: number }
  | { key: "tooLow"; min: number }
  | { key: "tooHigh"; max: number }
  | { key: "offStep"; step: number; low: number; high: number };

/** Steps are compared with this much room, as 0.1 + 0.2 is not quite 0.3. */
const STEP_TOLERANCE = 1e-9;
const MOST_DIGITS = 10;

export interface Scale {
  min: number;
  max: number;
  step: number;
}

export function scaleOf({ min = 1, max = 5, step = 1 }: RatingField): Scale {
  return { min, max, step };
}

function tidy(value: number): number {
  return Number(value.toFixed(MOST_DIGITS));
}

/** Every number of a scale, from the least to the most. */
export function scaleSteps({ min, max, step }: Scale): number[] {
  const count = Math.floor((max - min) / step + STEP_TOLERANCE) + 1;
  return Array.from({ length: count }, (_, index) => tidy(min + index * step));
}

/** Why a text does not fit its field; an empty one is no text yet. */
export function textProblem(field: StringField, text: string): FieldProblem | null {
  const count = countCodePoints(text);
  const { min_length: min = 0, max_length: max = Infinity } = field;
  if (count > max) return { key: "tooLong", over: count - max, max };
  return count > 0 && countCodePoints(text.trim()) < min ? { key: "tooShort", count, min } : null;
}

/** Why a number does not fit its field. Steps start at the least number, else at 0. */
export function numberProblem(
  { min, max, step }: Pick<NumberField, "min" | "max" | "step">,
  value: number,
): FieldProblem | null {
  if (min !== undefined && value < min) return { key: "tooLow", min };
  if (max !== undefined && value > max) return { key: "tooHigh", max };
  if (step === undefined) return null;
  const base = min ?? 0;
  const steps = (value - base) / step;
  if (Math.abs(steps - Math.round(steps)) < STEP_TOLERANCE * Math.max(1, Math.abs(steps))) {
    return null;
  }
  const low = tidy(base + Math.floor(steps) * step);
  return { key: "offStep", step, low, high: tidy(low + step) };
}

/** What keeps a value from being saved; the server has the last word on everything else. */
export function fieldProblem(field: DrawnField, value: unknown): FieldProblem | null {
  if (field.type === "string") return typeof value === "string" ? textProblem(field, value) : null;
  if (field.type === "number") {
    return typeof value === "number" ? numberProblem(field, value) : null;
  }
  if (field.type !== "rating" || value === NOT_APPLICABLE) return null;
  return typeof value === "number" ? numberProblem(scaleOf(field), value) : null;
}
