import type { Schemas } from "../../lib/api-client";
import { makeRate, makeRound } from "./round";

export const NEW_MODEL = "0b0e7c60-0000-4000-8000-000000000302";

export function makeCandidate(
  given: Partial<Schemas["TargetCandidateRead"]> = {},
): Schemas["TargetCandidateRead"] {
  return {
    model_id: NEW_MODEL,
    name: "retrained",
    version: 1,
    scores: [{ value: 71.2, low: 68.1, high: 74.3, items: null }],
    rank: { low: 1, high: 1 },
    dynascore: 70,
    examples_per_second: 12.5,
    is_measured_at_client: false,
    was_target_of: [],
    is_published: true,
    ...given,
  };
}

/** A plan after one released round: the retrained model, its parents, two tags. */
export function makePlan(given: Partial<Schemas["NextRoundRead"]> = {}): Schemas["NextRoundRead"] {
  const last = makeRound({ number: 1, status: "released" });
  const old = last.target_model_ids[0] ?? "";
  const edge = { from_round_id: null, from_model_id: null, to_round_id: null, is_target: false };
  return {
    task_slug: "nli",
    next_number: 2,
    metric: "accuracy",
    is_lower_better: false,
    releases: [{ version_id: "0b0e7c60-0000-4000-8000-000000000901", round_number: 1, items: 300 }],
    candidates: [
      makeCandidate(),
      makeCandidate({
        model_id: old,
        name: "starter",
        rank: { low: 2, high: 2 },
        was_target_of: [1],
      }),
      makeCandidate({
        model_id: "0b0e7c60-0000-4000-8000-000000000303",
        name: "secret",
        rank: null,
        scores: [{ value: null, low: null, high: null, items: null }],
        examples_per_second: null,
        is_published: false,
      }),
    ],
    suggestion: {
      target_model_ids: [NEW_MODEL],
      policy: "single",
      code: "best",
      is_repeated: false,
      reason: "retrained v1 is surely the best on the last releases.",
    },
    lineage: {
      rounds: [
        {
          round_id: last.id,
          number: 1,
          status: "released",
          collected: 400,
          validated_model_error_rate: makeRate(),
        },
      ],
      models: [
        { model_id: old, name: "starter", version: 1 },
        { model_id: NEW_MODEL, name: "retrained", version: 1 },
      ],
      edges: [
        { ...edge, from_model_id: old, to_round_id: last.id, is_target: true },
        { ...edge, from_round_id: last.id },
        { ...edge, from_model_id: NEW_MODEL, is_target: true },
      ],
    },
    contexts: {
      tags: [
        { tag: "news", contexts: 90, used: 80, never_used: 10, annotators: 120, is_drawn: true },
        { tag: "fiction", contexts: 50, used: 0, never_used: 50, annotators: 0, is_drawn: false },
      ],
      leaks: {
        drawn: 90,
        same: 40,
        sampled: 50,
        near: 1,
        compared: 320,
        examples: [
          { context: "The lift was out of order.", released: "The lift is out of order." },
        ],
      },
    },
    budget: {
      width: 0.1,
      people: 45,
      tries_each: 20,
      attempts: 900,
      least_attempts: 285,
      validated_fooling: 225,
      days: 23,
      expected_rate: 0.25,
      is_rate_known: true,
      likeness: 0.1,
      attempts_per_day: 40,
      reason: null,
    },
    warnings: [
      {
        code: "leaks",
        sentence: "40 of 90 contexts are in released train data.",
        figures: { same: 40, drawn: 90, near: 1, sampled: 50 },
      },
      {
        code: "stalled",
        sentence: "Rounds 0 and 1 cannot be told apart.",
        figures: { before: 0, after: 1, difference: 0.012, low: -0.04, high: 0.064 },
      },
      {
        code: "few_annotators",
        sentence: "Round 1 was written by 4 people.",
        figures: { round: 1, annotators: 4, top_share: 0.61 },
      },
    ],
    can_hide_models: true,
    settings: {
      target_model_ids: [NEW_MODEL],
      target_policy: "single",
      context_policy: "min",
      context_tags: ["news"],
      validation: last.validation,
      max_tries: 10,
      schedule: last.schedule,
      budget: { examples: 900, days: null, validated_fooling: null },
      parent_round_ids: [last.id],
      parent_model_ids: [NEW_MODEL],
      controls: last.controls,
      seed: 1,
    },
    ...given,
  };
}
