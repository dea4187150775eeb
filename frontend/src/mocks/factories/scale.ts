import type { Schemas } from "../../lib/api-client";
import { makeOutcome } from "./console";

const id = (number: number) =>
  `0b0e7c60-0000-4000-8000-0000000007${String(number).padStart(2, "0")}`;

export function makeEstimate(value: number, reach = 0.25): Schemas["EstimateRead"] {
  return { value, low: value - reach, high: value + reach };
}

export function makeScaledSet(
  number: number,
  given: Partial<Schemas["ScaledSetRead"]> = {},
): Schemas["ScaledSetRead"] {
  return {
    version_id: id(number),
    name: `Round ${number}`,
    version: 1,
    round_number: number,
    items: 1200,
    difficulty: makeEstimate(number - 1.5),
    spread: 1.1,
    targets: [`target-${number} v1`],
    separability: {
      models: 4,
      told_apart: { value: 50, part: 3, whole: 6 },
      by_intervals: { value: 100 / 3, part: 2, whole: 6 },
      reason: null,
    },
    agreement: { value: 0.5, agreeing: 3, opposed: 0, pairs: 6, models: 4, reason: null },
    ...given,
  };
}

export function makeScale(given: Partial<Schemas["ScaleRead"]> = {}): Schemas["ScaleRead"] {
  const expected = [
    { value: 71.2, low: 66, high: 76.4 },
    { value: 48.3, low: 42, high: 54.6 },
  ];
  return {
    task_slug: "nli",
    metric: "accuracy",
    has_discrimination: false,
    models: [
      { id: id(21), name: "new", version: 2, ability: makeEstimate(0.8), sets: 1, expected },
      { id: id(22), name: "old", version: 1, ability: makeEstimate(-0.8), sets: 2, expected },
    ],
    sets: [makeScaledSet(1), makeScaledSet(2)],
    contest: makeContest(),
    reason: null,
    notes: ["With fewer than 20 models, items are taken to tell models apart equally well."],
    notes_told: [],
    as_of: "2026-02-03T09:00:00Z",
    is_current: true,
    ...given,
  };
}

export function makeContest(given: Partial<Schemas["ContestRead"]> = {}): Schemas["ContestRead"] {
  return {
    models: [
      {
        model_id: id(31),
        name: "target-1",
        version: 1,
        strength: makeEstimate(1.1),
        attempts: 400,
      },
    ],
    rounds: [
      {
        round_number: 1,
        attempts: 400,
        annotators: 12,
        observed: 31,
        corrected: { value: 25.5, low: 20.1, high: 31.4 },
        reason: null,
      },
      {
        round_number: 2,
        attempts: 0,
        annotators: 0,
        observed: null,
        corrected: null,
        reason: "None of its attempts on a model has an outcome.",
      },
    ],
    annotators: null,
    mine: null,
    reason: null,
    ...given,
  };
}

export function makeSuspicion(
  n: number,
  given: Partial<Schemas["SuspicionRead"]> = {},
): Schemas["SuspicionRead"] {
  return {
    example: makeOutcome(n, { gold: { label: "entailment" }, verdict: "correct" }),
    version_id: id(1),
    responses: {
      correlation: -0.82,
      models: 5,
      strongest_wrong: ["new v2"],
      weakest_right: ["old v1"],
    },
    votes: null,
    raised_at: "2026-02-03T09:00:00Z",
    settled_at: null,
    settled_by: null,
    finding: null,
    ...given,
  };
}
