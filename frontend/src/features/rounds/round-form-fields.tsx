import {
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  TextInput,
} from "@mantine/core";
import { type Control, Controller, type FieldPath, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { CONTEXT_POLICIES, type RoundValues, TARGET_POLICIES } from "./round-form-schema";
import { ScheduleFields } from "./schedule-fields";

export type Form = UseFormReturn<RoundValues>;
type ListField = "target_model_ids" | "context_tags" | "parent_round_ids" | "parent_model_ids";
export interface Option {
  value: string;
  label: string;
}

/** An empty number is no number, not nought. */
function asNumber(written: unknown): number | null {
  return written === "" || written === null || written === undefined ? null : Number(written);
}

interface NumberFieldProps {
  form: Form;
  name: FieldPath<RoundValues>;
  label: string;
  min: number;
}

export function NumberField({ form, name, label, min }: NumberFieldProps) {
  const { error } = form.getFieldState(name, form.formState);
  return (
    <TextInput
      type="number"
      inputMode="numeric"
      min={min}
      label={label}
      error={error?.message}
      {...form.register(name, { setValueAs: asNumber })}
    />
  );
}

interface ChoicesProps {
  control: Control<RoundValues>;
  name: ListField;
  label: string;
  description?: string;
  options: readonly Option[];
}

/** Several of a list, as boxes to tick. */
function Choices({ control, name, label, description, options }: ChoicesProps) {
  if (options.length === 0) return null;
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState }) => (
        <Checkbox.Group
          label={label}
          description={description}
          error={fieldState.error?.message}
          value={field.value}
          onChange={field.onChange}
        >
          <Group gap="sm" mt={8}>
            {options.map(({ value, label: name }) => (
              <Checkbox key={value} value={value} label={name} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
    />
  );
}

export function TargetFields({ form, models }: { form: Form; models: readonly Option[] }) {
  const { t } = useTranslation("rounds");
  return (
    <Fieldset legend={t("form.targets")}>
      <Stack gap="sm">
        <Choices
          control={form.control}
          name="target_model_ids"
          label={t("form.targetsHelp")}
          options={models}
        />
        {models.length === 0 && t("form.noModels")}
        <PolicyField form={form} />
      </Stack>
    </Fieldset>
  );
}

export function PolicyField({ form }: { form: Form }) {
  const { t } = useTranslation("rounds");
  return (
    <NativeSelect
      label={t("form.targetPolicy")}
      data={TARGET_POLICIES.map((value) => ({ value, label: t(`targetPolicy.${value}`) }))}
      error={form.formState.errors.target_policy?.message}
      {...form.register("target_policy")}
    />
  );
}

export function ContextFields({ form, tags }: { form: Form; tags: readonly Option[] }) {
  const { t } = useTranslation("rounds");
  return (
    <Fieldset legend={t("facts.contexts")}>
      <Stack gap="sm">
        <NativeSelect
          label={t("form.contextPolicy")}
          data={CONTEXT_POLICIES.map((value) => ({ value, label: t(`contextPolicy.${value}`) }))}
          error={form.formState.errors.context_policy?.message}
          {...form.register("context_policy")}
        />
        <Choices
          control={form.control}
          name="context_tags"
          label={t("form.contextTags")}
          description={t("form.contextTagsHelp")}
          options={tags}
        />
        <NumberField form={form} name="max_tries" label={t("form.maxTries")} min={1} />
      </Stack>
    </Fieldset>
  );
}

export function ValidationFields({ form }: { form: Form }) {
  const { t } = useTranslation("rounds");
  const errors = form.formState.errors.validation;
  return (
    <Fieldset legend={t("form.validation")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <NativeSelect
          label={t("form.mode")}
          data={[
            { value: "review", label: t("form.modeReview") },
            { value: "blind", label: t("form.modeBlind") },
          ]}
          error={errors?.mode?.message}
          {...form.register("validation.mode")}
        />
        <NativeSelect
          label={t("form.goldFrom")}
          data={[
            { value: "author", label: t("form.goldAuthor") },
            { value: "validators", label: t("form.goldValidators") },
          ]}
          error={errors?.gold_from?.message}
          {...form.register("validation.gold_from")}
        />
        <NumberField form={form} name="validation.quorum" label={t("form.quorum")} min={1} />
        <NumberField form={form} name="validation.maximum" label={t("form.maximum")} min={1} />
        <NumberField
          form={form}
          name="validation.share_of_others"
          label={t("form.share")}
          min={0}
        />
      </SimpleGrid>
    </Fieldset>
  );
}

export function BudgetFields({ form }: { form: Form }) {
  const { t } = useTranslation("rounds");
  return (
    <Fieldset legend={t("form.budget")}>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <NumberField form={form} name="budget.examples" label={t("form.budgetExamples")} min={1} />
        <NumberField form={form} name="budget.days" label={t("form.budgetDays")} min={1} />
        <NumberField
          form={form}
          name="budget.validated_fooling"
          label={t("form.budgetFooling")}
          min={1}
        />
      </SimpleGrid>
    </Fieldset>
  );
}

export function RoundTimes({ form: { register, formState } }: { form: Form }) {
  const errors = formState.errors.schedule;
  return (
    <ScheduleFields
      opens={{ field: register("schedule.opens_at"), error: errors?.opens_at?.message }}
      closes={{ field: register("schedule.closes_at"), error: errors?.closes_at?.message }}
    />
  );
}

interface ParentFieldsProps {
  form: Form;
  rounds: readonly Option[];
  models: readonly Option[];
}

export function ParentFields({ form, rounds, models }: ParentFieldsProps) {
  const { t } = useTranslation("rounds");
  return (
    <Fieldset legend={t("form.parents")}>
      <Stack gap="sm">
        <Choices
          control={form.control}
          name="parent_round_ids"
          label={t("form.parentRounds")}
          options={rounds}
        />
        <Choices
          control={form.control}
          name="parent_model_ids"
          label={t("form.parentModels")}
          options={models}
        />
        <NumberField form={form} name="seed" label={t("form.seed")} min={0} />
      </Stack>
    </Fieldset>
  );
}
