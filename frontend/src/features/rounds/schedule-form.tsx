import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { showFieldProblems } from "../../lib/form-problems";
import { fromLocalField, toLocalField } from "../../lib/local-moment";
import { opensLater } from "../../lib/opens-later";
import { type Round, useChangeRound } from "./queries";
import { ScheduleFields } from "./schedule-fields";

interface Values {
  schedule: { opens_at: string; closes_at: string };
}

/** The times of an open round; its opening can be moved until it has come. */
export function ScheduleForm({ round, onDone }: { round: Round; onDone: () => void }) {
  const { t } = useTranslation(["rounds", "ui"]);
  const { opens_at, closes_at } = round.schedule;
  const [isAhead] = useState(() => opensLater(round, Date.now()) !== null);
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: {
      schedule: { opens_at: toLocalField(opens_at), closes_at: toLocalField(closes_at) },
    },
  });
  const change = useChangeRound(round.id);
  const [alert, setAlert] = useState<unknown>(null);
  const save = handleSubmit(async ({ schedule }) => {
    setAlert(null);
    const opens = isAhead ? fromLocalField(schedule.opens_at) : (opens_at ?? null);
    try {
      await change.mutateAsync({
        schedule: { opens_at: opens, closes_at: fromLocalField(schedule.closes_at) },
      });
      onDone();
    } catch (error) {
      const fields = ["schedule.opens_at", "schedule.closes_at"] as const;
      if (!showFieldProblems(error, setError, fields)) setAlert(error);
    }
  });
  const errors = formState.errors.schedule;
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
        <ScheduleFields
          opens={
            isAhead
              ? { field: register("schedule.opens_at"), error: errors?.opens_at?.message }
              : null
          }
          closes={{ field: register("schedule.closes_at"), error: errors?.closes_at?.message }}
        />
        <FormAlert error={alert} />
        <Group gap="xs">
          <Button type="submit" loading={change.isPending}>
            {t("form.saveChanges")}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t("confirm.cancel", { ns: "ui" })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
