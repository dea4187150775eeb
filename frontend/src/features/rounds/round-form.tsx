import { Button, Group, Stack, Title } from "@mantine/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { showFieldProblems } from "../../lib/form-problems";
import { useIdempotencyKey } from "../../lib/idempotency";
import { ControlFields } from "./control-fields";
import { type Round, useChangeRound, useCreateRound } from "./queries";
import {
  BudgetFields,
  ContextFields,
  type Option,
  ParentFields,
  RoundTimes,
  TargetFields,
  ValidationFields,
} from "./round-form-fields";
import {
  bodyOf,
  NEW_ROUND,
  ROUND_FIELDS,
  roundResolver,
  type RoundValues,
  valuesOf,
} from "./round-form-schema";

interface RoundFormProps {
  slug: string;
  /** A draft to change; a new one where absent. */
  draft?: Round;
  /** Models that can be targets or parents. */
  models: readonly Option[];
  tags: readonly Option[];
  /** Earlier rounds. */
  rounds: readonly Option[];
  onDone: () => void;
}

/** Everything that a round fixes. A draft is looked over before it is opened. */
export function RoundForm({ slug, draft, models, tags, rounds, onDone }: RoundFormProps) {
  const { t } = useTranslation(["rounds", "ui"]);
  const form = useForm<RoundValues>({
    resolver: roundResolver,
    defaultValues: draft === undefined ? NEW_ROUND : valuesOf(draft),
  });
  const create = useCreateRound(slug);
  const change = useChangeRound(draft?.id ?? "");
  const { keyFor } = useIdempotencyKey();
  const [alert, setAlert] = useState<unknown>(null);
  const save = form.handleSubmit(async (values) => {
    const body = bodyOf(values);
    setAlert(null);
    try {
      if (draft === undefined) await create.mutateAsync({ body, key: keyFor(body) });
      else await change.mutateAsync(body);
      onDone();
    } catch (error) {
      if (!showFieldProblems(error, form.setError, ROUND_FIELDS)) setAlert(error);
    }
  });
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <Title order={3} size="h4">
          {draft === undefined ? t("form.title") : t("form.edit")}
        </Title>
        <TargetFields form={form} models={models} />
        <ContextFields form={form} tags={tags} />
        <ValidationFields form={form} />
        <BudgetFields form={form} />
        <RoundTimes form={form} />
        <ControlFields form={form} models={models} />
        <ParentFields form={form} rounds={rounds} models={models} />
        <FormAlert error={alert} />
        <Group gap="xs">
          <Button type="submit" loading={create.isPending || change.isPending}>
            {draft === undefined ? t("form.save") : t("form.saveChanges")}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t("confirm.cancel", { ns: "ui" })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
