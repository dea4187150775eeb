import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Checkbox, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import type { Schemas } from "../../lib/api-client";
import { showFieldProblems } from "../../lib/form-problems";
import { useIdempotencyKey } from "../../lib/idempotency";
import { DataFields } from "./data-fields";
import { type Recipe, type TrainingOrder, trainingPlanQuery, useTrain } from "./queries";
import { NoRecipe, OptionFields, RecipeField } from "./recipe-fields";
import { TrainingPlan } from "./training-plan";
import {
  orderOf,
  recipeCalled,
  startingValues,
  takeUp,
  trainingSchema,
  type TrainingValues,
} from "./training-values";

/** So long after the last change, what would be learned from is counted. */
const PAUSE_MS = 400;

interface TrainingFormProps {
  slug: string;
  recipes: readonly Recipe[];
  datasets: readonly Schemas["DatasetVersionRead"][];
}

/** Train the next model on starter data and what rounds have brought. */
export function TrainingForm({ slug, recipes, datasets }: TrainingFormProps) {
  const { t } = useTranslation("training");
  const form = useForm<TrainingValues>({
    resolver: zodResolver(trainingSchema),
    defaultValues: startingValues(recipes, datasets),
  });
  const isChosenByHand = form.formState.dirtyFields.chosen !== undefined;
  useEffect(() => takeUp(form, datasets, isChosenByHand), [form, datasets, isChosenByHand]);
  const train = useTrain(slug);
  const { keyFor, renew } = useIdempotencyKey();
  const [alert, setAlert] = useState<unknown>(null);
  const [started, setStarted] = useState("");
  const values = useWatch({ control: form.control }) as TrainingValues;
  const recipe = recipeCalled(recipes, values.recipe);
  // As text, so that the same order is the same value whenever the form is drawn.
  const [settled] = useDebouncedValue(JSON.stringify(planned(values, recipe)), PAUSE_MS);
  const plan = useQuery(trainingPlanQuery(slug, JSON.parse(settled) as TrainingOrder | null));
  const start = form.handleSubmit(async (said) => {
    const body = orderOf(said, recipe);
    setAlert(null);
    try {
      await train.mutateAsync({ body, key: keyFor(body) });
      renew();
      setStarted(body.name);
    } catch (error) {
      const options = recipe?.options.map(({ name }) => `options.${name}` as const) ?? [];
      const fields = ["name", "recipe", "starter_weight", "seed", ...options] as const;
      if (!showFieldProblems(error, form.setError, fields)) setAlert(error);
    }
  });
  const { errors } = form.formState;
  if (recipes.length === 0) return <NoRecipe />;
  return (
    <form onSubmit={start} noValidate>
      <Stack gap="md" maw={720}>
        <Text c="dimmed">{t("help")}</Text>
        <TextInput
          label={t("name")}
          required
          autoComplete="off"
          error={errors.name?.type === "too_small" ? t("required") : errors.name?.message}
          {...form.register("name")}
        />
        <RecipeField form={form} recipes={recipes} />
        <OptionFields form={form} recipes={recipes} isNeeded />
        <DataFields
          form={form}
          datasets={datasets}
          bringsStarter={plan.data?.has_starter_data === true}
        />
        <details>
          <summary>{t("more")}</summary>
          <Stack gap="sm" mt="sm">
            <OptionFields form={form} recipes={recipes} isNeeded={false} />
            <Checkbox label={t("onlyVerified")} {...form.register("only_verified")} />
            <Checkbox label={t("onlyFooling")} {...form.register("only_fooling")} />
            <Checkbox label={t("withoutControls")} {...form.register("without_controls")} />
            <TextInput
              type="number"
              label={t("seed")}
              description={t("seedHelp")}
              maw={240}
              error={errors.seed?.message}
              {...form.register("seed", { valueAsNumber: true })}
            />
          </Stack>
        </details>
        <TrainingPlan plan={plan} />
        <FormAlert error={alert} />
        {started !== "" && <Text role="status">{t("startedBelow", { name: started })}</Text>}
        <div>
          <Button type="submit" loading={train.isPending}>
            {t("start")}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

/** The order as far as it decides what is learned from; null while a number makes no sense. */
function planned(values: TrainingValues, recipe: Recipe | undefined) {
  const whole = { ...values, name: "plan", options: {}, seed: 0 };
  if (!trainingSchema.safeParse(whole).success) return null;
  const usable = recipe?.options.some(({ is_needed }) => is_needed) === true ? "" : values.recipe;
  return orderOf({ ...whole, recipe: usable }, recipe);
}
