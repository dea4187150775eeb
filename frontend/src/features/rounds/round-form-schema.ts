import { zodResolver } from "@hookform/resolvers/zod";

import type { Schemas } from "../../lib/api-client";
import { z } from "../../lib/form-schema";
import { fromLocalField, toLocalField } from "../../lib/local-moment";

const count = z.int().min(1);
const limit = count.nullable();
const controlShare = z.number().min(0).max(50);

export const TARGET_POLICIES = [
  "single",
  "random",
  "any-fooled",
  "all-fooled",
  "majority",
] as const;
export const CONTEXT_POLICIES = ["min", "uniform", "least_fooled", "validation_failed"] as const;

/** A round's settings as the form holds them: shares in per cent, an empty limit as null. */
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
  // As fields of date and time hold them; an empty one is no time.
  schedule: z.object({ opens_at: z.string(), closes_at: z.string() }),
  parent_round_ids: z.array(z.string()),
  parent_model_ids: z.array(z.string()),
  controls: z.object({
    no_model_share: controlShare,
    earlier_share: controlShare,
    // A choice of nobody is the empty one.
    model_id: z.string(),
  }),
  seed: z.int(),
});

export const roundResolver = zodResolver(roundSchema);

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
  "schedule.opens_at",
  "schedule.closes_at",
  "parent_round_ids",
  "parent_model_ids",
  "controls.no_model_share",
  "controls.earlier_share",
  "controls.model_id",
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
  schedule: { opens_at: "", closes_at: "" },
  parent_round_ids: [],
  parent_model_ids: [],
  controls: { no_model_share: 0, earlier_share: 0, model_id: "" },
  seed: 0,
};

/** The settings of a draft or a proposal, to be changed. */
export function valuesOf(round: Schemas["RoundSettings"]): RoundValues {
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
    schedule: {
      opens_at: toLocalField(round.schedule.opens_at),
      closes_at: toLocalField(round.schedule.closes_at),
    },
    parent_round_ids: round.parent_round_ids,
    parent_model_ids: round.parent_model_ids,
    controls: {
      no_model_share: Math.round(round.controls.no_model_share * 100),
      earlier_share: Math.round(round.controls.earlier_share * 100),
      model_id: round.controls.model_id ?? "",
    },
    seed: round.seed,
  };
}

export function bodyOf(values: RoundValues): Schemas["RoundCreate"] {
  const { share_of_others, ...rule } = values.validation;
  const { no_model_share, earlier_share, model_id } = values.controls;
  return {
    ...values,
    validation: { ...rule, share_of_others: share_of_others / 100 },
    schedule: {
      opens_at: fromLocalField(values.schedule.opens_at),
      closes_at: fromLocalField(values.schedule.closes_at),
    },
    controls: {
      no_model_share: no_model_share / 100,
      earlier_share: earlier_share / 100,
      model_id: model_id === "" ? null : model_id,
    },
  };
}
