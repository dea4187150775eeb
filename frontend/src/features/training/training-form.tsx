import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Checkbox, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import type { Schemas } from "../../lib/api-client";
import { showFieldProblems } from "../../lib/form-problems";
import { z } from "../../lib/form-schema";
import { useIdempotencyKey } from "../../lib/idempotency";
import { useTrain } from "./queries";

const TRAINING_FIELDS = [
  "name",
  "recipe",
  "with_starter_data",
  "dataset_version_ids",
  "seed",
] as const;

interface TrainingValues {
  name: string;
  recipe: string;
  with_starter_data: boolean;
  dataset_version_ids: string[];
  seed: number;
}

interface TrainingFormProps {
  slug: string;
  recipes: readonly Schemas["RecipeRead"][];
  datasets: readonly Schemas["DatasetVersionRead"][];
  /** Called with the job that trains. */
  onStart: (jobId: string, name: string) => void;
}

/** Train the next model on starter data and what rounds have brought. */
export function TrainingForm({ slug, recipes, datasets, onStart }: TrainingFormProps) {
  const { t } = useTranslation("training");
  const schema = z.object({
    name: z.string().trim().min(1, t("required")).max(80),
    recipe: z.string(),
    with_starter_data: z.boolean(),
    dataset_version_ids: z.array(z.string()),
    seed: z.int(),
  });
  const { control, formState, handleSubmit, register, setError } = useForm<TrainingValues>({
    resolver: zodResolver(schema),
    defaultValues: {
      name: "",
      recipe: (recipes.find(({ is_default }) => is_default) ?? recipes[0])?.name ?? "",
      with_starter_data: true,
      // The next model learns from everything that has been released.
      dataset_version_ids: datasets.map(({ id }) => id),
      seed: 0,
    },
  });
  const train = useTrain(slug);
  const { keyFor, renew } = useIdempotencyKey();
  const [alert, setAlert] = useState<unknown>(null);
  const chosen = useWatch({ control, name: "recipe" });
  const start = handleSubmit(async (values) => {
    const body = { ...values, recipe: values.recipe || null, description: "" };
    setAlert(null);
    try {
      const job = await train.mutateAsync({ body, key: keyFor(body) });
      renew();
      onStart(job.id, values.name);
    } catch (error) {
      if (!showFieldProblems(error, setError, TRAINING_FIELDS)) setAlert(error);
    }
  });
  const { errors } = formState;
  return (
    <form onSubmit={start} noValidate>
      <Stack gap="sm" maw={640}>
        <Text c="dimmed">{t("help")}</Text>
        <TextInput
          label={t("name")}
          required
          autoComplete="off"
          error={errors.name?.message}
          {...register("name")}
        />
        <NativeSelect
          label={t("recipe")}
          description={recipes.find(({ name }) => name === chosen)?.description}
          data={recipes.map(({ name, title }) => ({ value: name, label: title }))}
          error={errors.recipe?.message}
          {...register("recipe")}
        />
        <Checkbox
          label={t("starter")}
          error={errors.with_starter_data?.message}
          {...register("with_starter_data")}
        />
        {datasets.length > 0 && (
          <Controller
            control={control}
            name="dataset_version_ids"
            render={({ field, fieldState }) => (
              <Checkbox.Group
                label={t("releases")}
                error={fieldState.error?.message}
                value={field.value}
                onChange={field.onChange}
              >
                <Stack gap="xs" mt={8}>
                  {datasets.map(({ id, name, version }) => (
                    <Checkbox key={id} value={id} label={t("release", { name, version })} />
                  ))}
                </Stack>
              </Checkbox.Group>
            )}
          />
        )}
        <TextInput
          type="number"
          label={t("seed")}
          maw={160}
          error={errors.seed?.message}
          {...register("seed", { valueAsNumber: true })}
        />
        <FormAlert error={alert} />
        <div>
          <Button type="submit" loading={train.isPending}>
            {t("start")}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
