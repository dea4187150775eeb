import type { Schemas } from "../../lib/api-client";

export function makeRate(given: Partial<Schemas["RateRead"]> = {}): Schemas["RateRead"] {
  return { value: 0.25, part: 10, whole: 40, low: 0.14, high: 0.4, method: "Wilson", ...given };
}

export function makeRound(given: Partial<Schemas["RoundRead"]> = {}): Schemas["RoundRead"] {
  const number = given.number ?? 2;
  return {
    id: `0b0e7c60-0000-4000-8000-0000000001${String(number).padStart(2, "0")}`,
    task_slug: "nli",
    number,
    status: "open",
    config_version: 1,
    targets: [{ model_id: "0b0e7c60-0000-4000-8000-000000000301", name: "starter", version: 1 }],
    target_model_ids: ["0b0e7c60-0000-4000-8000-000000000301"],
    target_policy: "single",
    context_policy: "min",
    context_tags: [],
    validation: {
      mode: "review",
      quorum: 3,
      maximum: 5,
      gold_from: "author",
      share_of_others: 0,
    },
    max_tries: 10,
    budget: { examples: 100, days: null, validated_fooling: null },
    schedule: { opens_at: null, closes_at: null },
    controls: { no_model_share: 0, earlier_share: 0, model_id: null },
    control_target: null,
    parent_model_ids: [],
    parent_round_ids: [],
    seed: 0,
    close_reason: null,
    provenance: null,
    created_at: "2026-02-01T09:00:00Z",
    opened_at: "2026-02-02T09:00:00Z",
    closed_at: null,
    released_at: null,
    ...given,
  };
}

export function makeErrorRate(
  given: Partial<Schemas["ErrorRateRead"]> = {},
): Schemas["ErrorRateRead"] {
  return {
    round_id: makeRound().id,
    collected: 40,
    fooled: 10,
    verified_fooled: 6,
    undecided: 0,
    pending: 3,
    disputed: 1,
    retracted: 0,
    flagged: 1,
    annotators: 4,
    model_error_rate: makeRate(),
    validated_model_error_rate: makeRate({ value: 0.15, part: 6, low: 0.07, high: 0.29 }),
    macro_model_error_rate: 0.22,
    macro_validated_model_error_rate: 0.13,
    reason: null,
    as_of: "2026-02-03T09:00:00Z",
    ...given,
  };
}

export function makeAgreement(
  given: Partial<Schemas["AgreementRead"]> = {},
): Schemas["AgreementRead"] {
  return {
    examples: 12,
    votes: 36,
    fleiss_kappa: 0.62,
    krippendorff_alpha: 0.63,
    unanimous: makeRate({ value: 0.75, part: 9, whole: 12, low: 0.47, high: 0.91 }),
    reason: null,
    ...given,
  };
}

export function makeAnnotator(
  given: Partial<Schemas["AnnotatorRow"]> = {},
): Schemas["AnnotatorRow"] {
  return {
    username: "bea",
    collected: 20,
    fooled: 6,
    verified_fooled: 4,
    pending: 1,
    model_error_rate: makeRate({ value: 0.3, part: 6, whole: 20 }),
    validated_model_error_rate: makeRate({ value: 0.2, part: 4, whole: 20 }),
    ...given,
  };
}
