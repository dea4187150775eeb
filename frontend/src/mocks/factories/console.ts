import type { Schemas } from "../../lib/api-client";
import { makeContext, makeExample } from "./compose";

export function makeModel(given: Partial<Schemas["ModelRead"]> = {}): Schemas["ModelRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000301",
    task_slug: "nli",
    name: "starter",
    version: 1,
    kind: "handler",
    purpose: "target",
    status: "ready",
    rejection: null,
    digest: "d1",
    description: "Trained on the starter data.",
    submitted_by: null,
    created_at: "2026-01-05T09:00:00Z",
    isolation: "built_in",
    is_published: true,
    is_anonymous: false,
    is_mine: false,
    card: null,
    problems: null,
    job_id: null,
    queue_position: null,
    artifact_bytes: null,
    ...given,
  };
}

export function makeHealth(
  given: Partial<Schemas["ModelHealthRead"]> = {},
): Schemas["ModelHealthRead"] {
  return {
    model_id: makeModel().id,
    state: "ready",
    queue_length: 0,
    restarts: 0,
    answered: 40,
    failed: 0,
    median_latency_ms: 3,
    last_error: null,
    ...given,
  };
}

export function makeOutcomeVote(given: Partial<Schemas["VoteRead"]> = {}): Schemas["VoteRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000901",
    validator: "bea",
    vote: "correct",
    answer: null,
    metadata: {},
    is_expert: false,
    created_at: "2026-02-03T09:05:00Z",
    withdrawn_at: null,
    ...given,
  };
}

/** The n-th example of a round with what is known of it. */
export function makeOutcome(
  n: number,
  given: Partial<Schemas["OutcomeRead"]> = {},
): Schemas["OutcomeRead"] {
  return {
    example: makeExample({
      id: `0b0e7c60-0000-4000-8000-${String(n).padStart(12, "0")}`,
      inputs: { hypothesis: `Hypothesis ${n}` },
    }),
    context: makeContext().content,
    context_tag: "news",
    verdict: "disputed",
    gold: null,
    fooled: true,
    agrees_with_author: null,
    is_voided: false,
    votes: [makeOutcomeVote()],
    ...given,
  };
}

export function makeMember(given: Partial<Schemas["MemberRead"]> = {}): Schemas["MemberRead"] {
  return { username: "bea", role: "expert", added_at: "2026-01-06T09:00:00Z", ...given };
}

export function makeJoinLink(
  given: Partial<Schemas["JoinLinkRead"]> = {},
): Schemas["JoinLinkRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000701",
    role: "annotator",
    note: "",
    uses: 2,
    created_at: "2026-01-06T09:00:00Z",
    expires_at: "2026-03-06T09:00:00Z",
    ...given,
  };
}

export function makeRecipe(given: Partial<Schemas["RecipeRead"]> = {}): Schemas["RecipeRead"] {
  return {
    name: "text-classifier",
    title: "Text classifier",
    description: "Seconds on a laptop.",
    is_default: true,
    options: [
      {
        name: "inverse_regularisation",
        title: "Inverse regularisation (C)",
        description: "The larger, the closer the weights follow the training data.",
        kind: "number",
        default: 1,
        lowest: 0.001,
        highest: 1000,
        is_needed: false,
        choices: [],
      },
    ],
    unavailable: null,
    missing_extra: null,
    ...given,
  };
}

/** A recipe that needs a checkpoint, and packages that are not there. */
export function makeFineTuning(given: Partial<Schemas["RecipeRead"]> = {}): Schemas["RecipeRead"] {
  const checkpoint = {
    name: "checkpoint",
    title: "Checkpoint",
    description: "What to start from.",
    kind: "text" as const,
    default: null,
    lowest: null,
    highest: null,
    is_needed: true,
    choices: ["tiny"],
  };
  return makeRecipe({
    name: "transformers",
    title: "Fine-tuned transformer",
    is_default: false,
    options: [checkpoint],
    unavailable:
      "torch is not installed. Ask the operator: pip install 'dynabench-platform[huggingface]'",
    missing_extra: "huggingface",
    ...given,
  });
}

export function makeTraining(
  given: Partial<Schemas["TrainingRead"]> = {},
): Schemas["TrainingRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000701",
    state: "running",
    progress: 0.4,
    message: "fitting the weights",
    error: null,
    name: "second",
    recipe: "text-classifier",
    options: {},
    seed: "0",
    with_starter_data: true,
    starter_weight: 1,
    sources: [],
    only_verified: false,
    only_fooling: false,
    without_controls: false,
    model_id: null,
    created_at: "2026-01-05T09:00:00Z",
    started_at: "2026-01-05T09:00:01Z",
    finished_at: null,
    ...given,
  };
}

export function makeDataset(
  given: Partial<Schemas["DatasetVersionRead"]> = {},
): Schemas["DatasetVersionRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000801",
    dataset_id: "0b0e7c60-0000-4000-8000-000000000811",
    task_slug: "nli",
    name: "nli-round-1",
    version: 1,
    is_newest: true,
    round_number: 1,
    digest: "d2",
    licence: "CC-BY-4.0",
    access: "scoring",
    origin: "release",
    subtask_of: null,
    tags: [],
    perturbs_id: null,
    perturbation: null,
    items: 3,
    splits: [],
    card: {},
    created_at: "2026-02-01T09:00:00Z",
    test_opened_at: null,
    ...given,
  };
}
