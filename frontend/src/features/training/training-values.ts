import type { UseFormReturn } from "react-hook-form";

import type { Schemas } from "../../lib/api-client";
import { z } from "../../lib/form-schema";
import type { Recipe, TrainingOrder } from "./queries";

type Dataset = Schemas["DatasetVersionRead"];

export const MOST_WEIGHT = 100;

const weight = z.int().min(1).max(MOST_WEIGHT);

/** What the form holds: every set has a weight, whether or not it is learned from. */
export const trainingSchema = z.object({
  name: z.string().trim().min(1).max(80),
  recipe: z.string(),
  options: z.record(z.string(), z.string()),
  starter: z.boolean(),
  starter_weight: weight,
  chosen: z.array(z.string()),
  weights: z.record(z.string(), weight),
  only_verified: z.boolean(),
  only_fooling: z.boolean(),
  without_controls: z.boolean(),
  seed: z.int(),
});

export type TrainingValues = z.infer<typeof trainingSchema>;

/** How many examples of a set can be learned from. */
export function trainItemsOf({ splits }: Dataset): number {
  return splits.find(({ split }) => split === "train")?.items ?? 0;
}

export function recipeCalled(recipes: readonly Recipe[], name: string): Recipe | undefined {
  return recipes.find((one) => one.name === name);
}

/** The newest of every set that holds something to learn from, chosen once each. */
export function startingValues(
  recipes: readonly Recipe[],
  datasets: readonly Dataset[],
): TrainingValues {
  const known = recipes.find(({ is_default }) => is_default) ?? recipes[0];
  return {
    name: "",
    recipe: known?.name ?? "",
    options: {},
    starter: true,
    starter_weight: 1,
    chosen: datasets.filter(isWorthwhile).map(({ id }) => id),
    weights: Object.fromEntries(datasets.map(({ id }) => [id, 1])),
    only_verified: false,
    only_fooling: false,
    without_controls: false,
    seed: 0,
  };
}

/** Take up the sets that came while the form was shown; those chosen by hand stay as they are. */
export function takeUp(
  form: UseFormReturn<TrainingValues>,
  datasets: readonly Dataset[],
  isChosenByHand: boolean,
): void {
  const { chosen, weights } = form.getValues();
  const fresh = datasets.filter(({ id }) => !(id in weights));
  if (fresh.length === 0) return;
  form.setValue("weights", { ...weights, ...Object.fromEntries(fresh.map(({ id }) => [id, 1])) });
  if (isChosenByHand) return;
  const newest = new Set(datasets.filter(isWorthwhile).map(({ id }) => id));
  const added = fresh.filter(({ id }) => newest.has(id)).map(({ id }) => id);
  form.setValue("chosen", [...chosen.filter((id) => newest.has(id)), ...added]);
}

function isWorthwhile(dataset: Dataset): boolean {
  return dataset.is_newest && trainItemsOf(dataset) > 0;
}

/** What the server is asked for; options that were left empty are left to the server. */
export function orderOf(values: TrainingValues, recipe: Recipe | undefined): TrainingOrder {
  const known = recipe?.options.map(({ name }) => name) ?? [];
  return {
    name: values.name.trim(),
    recipe: values.recipe || null,
    options: Object.fromEntries(
      known
        .map((name) => [name, (values.options[name] ?? "").trim()] as const)
        .filter(([, said]) => said !== ""),
    ),
    with_starter_data: values.starter,
    starter_weight: values.starter_weight,
    sources: values.chosen.map((id) => ({
      dataset_version_id: id,
      weight: values.weights[id] ?? 1,
    })),
    dataset_version_ids: [],
    only_verified: values.only_verified,
    only_fooling: values.only_fooling,
    without_controls: values.without_controls,
    seed: values.seed,
    description: "",
  };
}
