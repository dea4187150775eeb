import type { Schemas } from "../../lib/api-client";
import { makeErrorRate, makeRound } from "./round";

export function makeContext(given: Partial<Schemas["ContextRead"]> = {}): Schemas["ContextRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000201",
    content: { premise: "Two of the four lifts were out of order." },
    tag: "default",
    metadata: {},
    created_at: "2026-02-01T09:00:00Z",
    ...given,
  };
}

export function makeAssignment(
  given: Partial<Schemas["AssignmentRead"]> = {},
): Schemas["AssignmentRead"] {
  return {
    round_id: makeRound().id,
    context: makeContext(),
    lease_expires_at: "2026-02-03T09:30:00Z",
    tries: 0,
    tries_left: 10,
    goals: { label: "entailment" },
    is_model_shown: true,
    ...given,
  };
}

export function makePrediction(
  given: Partial<Schemas["PredictionRead"]> = {},
): Schemas["PredictionRead"] {
  return {
    model_id: "0b0e7c60-0000-4000-8000-000000000301",
    model_name: "starter",
    model_version: 1,
    outputs: { label: "contradiction" },
    probabilities: { contradiction: 0.81, entailment: 0.14, neutral: 0.05 },
    is_wrong: true,
    latency_ms: 12,
    ...given,
  };
}

export function makeExample(given: Partial<Schemas["ExampleRead"]> = {}): Schemas["ExampleRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000401",
    round_id: makeRound().id,
    context_id: makeContext().id,
    annotator: "ada",
    inputs: { hypothesis: "At least one lift was working." },
    answer: { label: "entailment" },
    predictions: [makePrediction()],
    is_model_shown: true,
    arm: null,
    fooled: true,
    explanations: {},
    origin: "human",
    contrast_of: null,
    time_spent_seconds: 21.5,
    created_at: "2026-02-03T09:01:00Z",
    retracted_at: null,
    flagged_at: null,
    flag_reason: null,
    tries_left: 9,
    ...given,
  };
}

export function makeProgress(
  given: Partial<Schemas["MyProgressRead"]> = {},
): Schemas["MyProgressRead"] {
  return { tries: 14, fooled: 5, verified_fooled: 3, pending: 2, votes: 7, ...given };
}

export function makeCurrentRound(
  given: Partial<Schemas["CurrentRoundRead"]> = {},
): Schemas["CurrentRoundRead"] {
  return { task_slug: "nli", round: makeRound(), error_rate: makeErrorRate(), ...given };
}
