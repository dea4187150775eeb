import type { Schemas } from "../../lib/api-client";
import { z } from "../../lib/form-schema";

import type { Round } from "./queries";

const count = z.int().min(1);
const limit = count.nullable();

export const TARGET_POLICIES = [
  "single",
  "random",
  "any-fooled",
  "all-fooled",
  "majority",
] as const;
export const CONTEXT_POLICIES = ["min", "uniform", "least_fooled", "validation_failed"] as const;

/** A round's settings as the form holds them: the share in per cent, an empty limit as null. */
export const roundSchema = z.object({
  target_model_ids: z.array(z.string()),
  target_policy: z.enum(TARGET_POLICIES),
  context_policy: z.enum(CONTEXT_POLICIES),
  context_tags: z.array(z.string()),
  max_tries: count.max(1000),
  validation: z.object({
    mode: z.enum(["review", "blind"]),
    gold_from: z.enum(["author", "validators"]),
    quorum: count.max(25),
    maximum: count.max(25),
    share_of_others: z.number().min(0).max(100),
  }),
  budget: z.object({ examples: limit, days: limit, validated_fooling: limit }),
  parent_round_ids: z.array(z.string()),
  parent_model_ids: z.array(z.string()),
  seed: z.int(),
});

export type RoundValues = z.infer<typeof roundSchema>;

/** The fields that the server may complain about. */
export const ROUND_FIELDS = [
  "target_model_ids",
  "target_policy",
  "context_policy",
  "context_tags",
  "max_tries",
  "validation.mode",
  "validation.gold_from",
  "validation.quorum",
  "validation.maximum",
  "validation.share_of_others",
  "budget.examples",
  "budget.days",
  "budget.validated_fooling",
  "parent_round_ids",
  "parent_model_ids",
  "seed",
] as const;

export const NEW_ROUND: RoundValues = {
  target_model_ids: [],
  target_policy: "single",
  context_policy: "min",
  context_tags: [],
  max_tries: 10,
  validation: { mode: "review", gold_from: "author", quorum: 3, maximum: 5, share_of_others: 0 },
  budget: { examples: null, days: null, validated_fooling: null },
  parent_round_ids: [],
  parent_model_ids: [],
  seed: 0,
};

/** A draft's settings, to be changed. */
export function valuesOf(round: Round): RoundValues {
  return {
    target_model_ids: round.target_model_ids,
    target_policy: round.target_policy,
    context_policy: round.context_policy,
    context_tags: round.context_tags,
    max_tries: round.max_tries,
    validation: {
      ...round.validation,
      share_of_others: Math.round(round.validation.share_of_others * 100),
    },
    budget: {
      examples: round.budget.examples ?? null,
      days: round.budget.days ?? null,
      validated_fooling: round.budget.validated_fooling ?? null,
    },
    parent_round_ids: round.parent_round_ids,
    parent_model_ids: round.parent_model_ids,
    seed: round.seed,
  };
}

export function bodyOf(values: RoundValues): Schemas["RoundCreate"] {
  const { share_of_others, ...rule } = values.validation;
  return { ...values, validation: { ...rule, share_of_others: share_of_others / 100 } };
}
