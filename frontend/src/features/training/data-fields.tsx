import { Button, Checkbox, Fieldset, Group, NumberInput, Stack, Text } from "@mantine/core";
import { Controller, type UseFormReturn, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";

import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";
import { MOST_WEIGHT, trainItemsOf, type TrainingValues } from "./training-values";

type Dataset = Schemas["DatasetVersionRead"];

interface DataFieldsProps {
  form: UseFormReturn<TrainingValues>;
  datasets: readonly Dataset[];
  /** Whether the task brings starter data at all. */
  bringsStarter: boolean;
}

/** What is learned from: the starter data and each set, with how many times an item counts. */
export function DataFields({ form, datasets, bringsStarter }: DataFieldsProps) {
  const { t } = useTranslation("training");
  const hasStarter = useWatch({ control: form.control, name: "starter" });
  const chosen = useWatch({ control: form.control, name: "chosen" });
  const rounds = datasets.filter((one) => one.round_number !== null && one.is_newest);
  const newest = rounds.toSorted((one, other) => roundOf(other) - roundOf(one))[0];
  const choose = (found: readonly Dataset[]) =>
    form.setValue(
      "chosen",
      found.map(({ id }) => id),
      { shouldDirty: true },
    );
  const toggle = (id: string) =>
    form.setValue(
      "chosen",
      chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id],
      { shouldDirty: true },
    );
  return (
    <Fieldset legend={t("data.legend")}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("data.help", { most: MOST_WEIGHT })}
        </Text>
        {rounds.length > 0 && (
          <Group gap="xs">
            <Button size="compact-sm" variant="default" onClick={() => choose(rounds)}>
              {t("data.allRounds")}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => choose(newest === undefined ? [] : [newest])}
            >
              {t("data.lastRound")}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => choose([])}>
              {t("data.none")}
            </Button>
          </Group>
        )}
        {bringsStarter && (
          <Group justify="space-between" gap="xs">
            <Checkbox label={t("starter")} {...form.register("starter")} />
            {hasStarter && (
              <Weight form={form} field="starter_weight" name={t("data.starterName")} />
            )}
          </Group>
        )}
        {datasets.map((dataset) => (
          <Line
            key={dataset.id}
            form={form}
            dataset={dataset}
            isChosen={chosen.includes(dataset.id)}
            onToggle={() => toggle(dataset.id)}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}

function roundOf(dataset: Dataset): number {
  return dataset.round_number ?? 0;
}

interface LineProps {
  form: UseFormReturn<TrainingValues>;
  dataset: Dataset;
  isChosen: boolean;
  onToggle: () => void;
}

function Line({ form, dataset, isChosen, onToggle }: LineProps) {
  const { t, i18n } = useTranslation("training");
  const { id, name, version, round_number: round } = dataset;
  const called = t("release", { name, version });
  const items = trainItemsOf(dataset);
  const count = t("data.items", { count: items, items: formatNumber(items, i18n.language) });
  return (
    <Group justify="space-between" gap="xs">
      <Checkbox
        label={called}
        description={round === null ? count : t("data.ofRound", { round, count })}
        checked={isChosen}
        onChange={onToggle}
      />
      {isChosen && <Weight form={form} field={`weights.${id}`} name={called} />}
    </Group>
  );
}

interface WeightProps {
  form: UseFormReturn<TrainingValues>;
  field: "starter_weight" | `weights.${string}`;
  name: string;
}

/** How many times each item counts. */
function Weight({ form, field, name }: WeightProps) {
  const { t } = useTranslation("training");
  return (
    <Controller
      control={form.control}
      name={field}
      render={({ field: { onChange, ...rest }, fieldState }) => (
        <NumberInput
          aria-label={t("data.weight", { name })}
          prefix="× "
          w={112}
          min={1}
          max={MOST_WEIGHT}
          clampBehavior="none"
          allowDecimal={false}
          error={fieldState.error?.message}
          {...rest}
          onChange={(value) => onChange(value === "" ? Number.NaN : Number(value))}
        />
      )}
    />
  );
}
