import type { Schemas } from "../../lib/api-client";
import { makeModel } from "./console";

const score = { value: 71.4, low: 70.2, high: 72.6, items: 1000 };

export const evaluationId = "0b0e7c60-0000-4000-8000-000000001001";

/** A model that was scored on the test and dev items of a round. */
export function makeEvaluation(
  given: Partial<Schemas["EvaluationRead"]> = {},
): Schemas["EvaluationRead"] {
  return {
    id: evaluationId,
    model_id: makeModel().id,
    dataset_version_id: "0b0e7c60-0000-4000-8000-000000000801",
    dataset_name: "nli-round-1",
    dataset_version: 1,
    round_number: 1,
    access: "scoring",
    perturbs_id: null,
    state: "done",
    reason: null,
    job_id: null,
    is_running: false,
    queue_position: null,
    progress: null,
    message: null,
    items: 1200,
    failed_items: 2,
    seconds: 12.5,
    evaluated_at: "2026-02-05T09:00:00Z",
    measurement: {
      examples_per_second: 120.4,
      examples_per_second_low: 118,
      examples_per_second_high: 121.9,
      reason: null,
      batched_examples_per_second: 2400,
      is_measured_at_client: false,
      memory_mean_gib: 0.21,
      memory_peak_gib: 0.34,
      cpu_seconds: 9.8,
      machine: { processor: "x86_64", cores: 2 },
      reference_seconds: 0.412,
      measured_at: "2026-02-05T09:00:00Z",
    },
    scores: [
      { ...score, split: "test", metric: "macro_f1", is_principal: true },
      { ...score, split: "test", metric: "accuracy", is_principal: false, value: 72 },
      { ...score, split: "dev", metric: "macro_f1", is_principal: true, items: 200, value: 74.1 },
    ],
    tag_scores: [
      { ...score, split: "test", tag: "news", metric: "macro_f1", items: 700 },
      {
        split: "test",
        tag: "negation",
        metric: "macro_f1",
        value: 52,
        low: 41,
        high: 60,
        items: 80,
      },
    ],
    deltas: [
      {
        kind: "robustness",
        perturbed_version_id: "0b0e7c60-0000-4000-8000-000000000802",
        split: "test",
        transform: null,
        value: 91.2,
        low: 89.9,
        high: 92.5,
        items: 980,
        gold_value: 68.3,
      },
      {
        kind: "robustness",
        perturbed_version_id: "0b0e7c60-0000-4000-8000-000000000802",
        split: "test",
        transform: "swap_letters",
        value: 88,
        low: 86,
        high: 90,
        items: 900,
        gold_value: 66,
      },
    ],
    ...given,
  };
}

/** The n-th item of an evaluation, answered wrongly. */
export function makeItem(
  n: number,
  given: Partial<Schemas["EvaluationItemRead"]> = {},
): Schemas["EvaluationItemRead"] {
  return {
    uid: `item-${n}`,
    context: { premise: "The ferry stayed in the harbour." },
    inputs: { hypothesis: `Hypothesis ${n}` },
    tags: ["news"],
    original_uid: null,
    transform: null,
    outputs: { label: "entailment" },
    probabilities: { entailment: 0.6, neutral: 0.3, contradiction: 0.1 },
    error: null,
    outcome: "wrong",
    score: 0,
    gold: { label: "neutral" },
    ...given,
  };
}

export function makeItemPage(
  given: Partial<Schemas["EvaluationItemPage"]> = {},
): Schemas["EvaluationItemPage"] {
  return {
    items: [
      makeItem(1),
      makeItem(2, { outcome: "right", outputs: { label: "neutral" }, score: 100 }),
    ],
    next_cursor: null,
    evaluation_id: evaluationId,
    split: "test",
    view: "full",
    ...given,
  };
}

export const rivalId = "0b0e7c60-0000-4000-8000-000000000302";

/** The starter model against a rival that is worse on one dataset. */
export function makeComparison(
  given: Partial<Schemas["ComparisonRead"]> = {},
): Schemas["ComparisonRead"] {
  const paired = {
    items: 1000,
    left: 71.4,
    right: 66.1,
    difference: 5.3,
    low: 3.1,
    high: 7.5,
    p_value: 0.0002,
    mcnemar: { only_left: 120, only_right: 67, p_value: 0.00013 },
  };
  return {
    task_slug: "nli",
    left: { id: makeModel().id, name: "starter", version: 1 },
    right: { id: rivalId, name: "rival", version: 2 },
    metric: "macro_f1",
    datasets: [
      {
        dataset_version_id: "0b0e7c60-0000-4000-8000-000000000801",
        dataset_name: "nli-round-1",
        dataset_version: 1,
        round_number: 1,
        access: "scoring",
        split: "test",
        view: "full",
        paired,
        tags: [{ ...paired, tag: "news", items: 700, p_value: 0.2, mcnemar: null }],
      },
    ],
    lacking: [
      {
        dataset_version_id: "0b0e7c60-0000-4000-8000-000000000803",
        dataset_name: "nli-round-2",
        dataset_version: 1,
        lacks: [rivalId],
      },
    ],
    ...given,
  };
}

export function makeComparedItem(
  given: Partial<Schemas["ComparedItemRead"]> = {},
): Schemas["ComparedItemRead"] {
  return {
    uid: "item-1",
    context: { premise: "The ferry stayed in the harbour." },
    inputs: { hypothesis: "Nobody sailed." },
    tags: [],
    gold: { label: "neutral" },
    left: { outputs: { label: "neutral" }, error: null, score: 100 },
    right: { outputs: { label: "entailment" }, error: null, score: 0 },
    ...given,
  };
}
