import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Checkbox, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { Loading, QueryView } from "../../components/ui/states";
import { showFieldProblems } from "../../lib/form-problems";
import { z } from "../../lib/form-schema";
import { useIdempotencyKey } from "../../lib/idempotency";
import { PlanSummary } from "./plan-summary";
import { type ReleasePlan, releasePlanQuery, useRelease } from "./queries";
import {
  bodyOf,
  plannedShares,
  type ReleaseValues,
  SplitFields,
  USUAL_RELEASE,
} from "./split-fields";

// In per cent; the server holds parts of one.
const part = z.number().min(1).max(80).nullable();

const FIELDS = [
  "seed",
  "licence",
  "open_verdicts",
  "allow_incomplete",
  "dev_share",
  "test_share",
  "share_of_others",
  "apart_from_earlier",
] as const;

interface ReleaseFormProps {
  roundId: string;
  onStart: (jobId: string) => void;
  onCancel: () => void;
}

/** Look at a release, decide what is left to decide, and make it. */
export function ReleaseForm({ roundId, onStart, onCancel }: ReleaseFormProps) {
  const { t } = useTranslation(["releases", "ui"]);
  const schema = z.object({
    seed: z.int(),
    licence: z.string().trim().min(1, t("licenceNeeded")).max(100),
    open_verdicts: z.enum(["wait", "settle"]),
    allow_incomplete: z.boolean(),
    dev_share: part,
    test_share: part,
    share_of_others: z.number(),
    apart_from_earlier: z.boolean(),
  });
  const form = useForm<ReleaseValues>({
    resolver: zodResolver(schema),
    defaultValues: USUAL_RELEASE,
  });
  const { control, formState, handleSubmit, register, setError } = form;
  const [typed, dev, test, share, isApart] = useWatch({
    control,
    name: ["seed", "dev_share", "test_share", "share_of_others", "apart_from_earlier"],
  });
  const wanted = {
    seed: Number.isSafeInteger(typed) ? typed : 0,
    ...plannedShares(dev, test),
    share_of_others: share,
    apart_from_earlier: isApart,
  };
  const plan = useQuery({
    ...releasePlanQuery(roundId, wanted),
    placeholderData: keepPreviousData,
  });
  const release = useRelease(roundId);
  const { keyFor } = useIdempotencyKey();
  const [alert, setAlert] = useState<unknown>(null);
  const start = handleSubmit(async (values) => {
    setAlert(null);
    const body = bodyOf(values);
    // What waits for verdicts may still become whole.
    const isNow = body.open_verdicts === "settle" || plan.data?.open_verdicts === 0;
    if (lacks(plan.data) && isNow && !body.allow_incomplete) {
      setError("allow_incomplete", { message: t("anywayNeeded") }, { shouldFocus: true });
      return;
    }
    try {
      const job = await release.mutateAsync({ body, key: keyFor(body) });
      onStart(job.id);
    } catch (error) {
      if (!showFieldProblems(error, setError, FIELDS)) setAlert(error);
    }
  });
  const { errors } = formState;
  // No leave makes a dataset of no example.
  const isNothing = plan.data?.splits.every(({ items }) => items === 0) ?? false;
  return (
    <form onSubmit={start} noValidate>
      <Stack gap="sm">
        <Text>{t("final")}</Text>
        <QueryView query={plan} loading={<Loading lines={5} />}>
          {(found) => <PlanSummary plan={found} />}
        </QueryView>
        {(plan.data?.open_verdicts ?? 0) > 0 && (
          <NativeSelect
            label={t("openVerdicts", { count: plan.data?.open_verdicts ?? 0 })}
            data={[
              { value: "wait", label: t("wait") },
              { value: "settle", label: t("settle") },
            ]}
            error={errors.open_verdicts?.message}
            {...register("open_verdicts")}
          />
        )}
        <TextInput
          label={t("licence")}
          required
          autoComplete="off"
          data-autofocus
          error={errors.licence?.message}
          {...register("licence")}
        />
        <TextInput
          label={t("seed")}
          description={t("seedHelp")}
          inputMode="numeric"
          autoComplete="off"
          error={errors.seed?.message}
          {...register("seed", { setValueAs: numberOf })}
        />
        <SplitFields register={register} errors={errors} />
        {isNothing && (
          <Text role="status" fw={600}>
            {t("nothing")}
          </Text>
        )}
        {lacks(plan.data) && !isNothing && (
          <Checkbox
            label={t("anyway")}
            error={errors.allow_incomplete?.message}
            {...register("allow_incomplete")}
          />
        )}
        <FormAlert error={alert} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t("confirm.cancel", { ns: "ui" })}
          </Button>
          <Button
            type="submit"
            loading={release.isPending}
            disabled={plan.data === undefined || isNothing}
          >
            {t("confirm")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function lacks(plan: ReleasePlan | undefined): boolean {
  return plan !== undefined && plan.missing.length > 0;
}

/** An empty field is no number, and not nought. */
function numberOf(typed: unknown): number {
  return String(typed).trim() === "" ? Number.NaN : Number(typed);
}
