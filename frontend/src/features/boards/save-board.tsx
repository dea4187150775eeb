import { Button, Group, Modal, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { showFieldProblems } from "../../lib/form-problems";
import { useIdempotencyKey } from "../../lib/idempotency";
import { type Board, useSaveBoard } from "./queries";

interface SaveValues {
  name: string;
  description: string;
  kind: "fork" | "snapshot";
}

interface SaveBoardProps {
  board: Board;
  isOpen: boolean;
  onClose: () => void;
  onSaved: (boardId: string) => void;
}

const LONGEST_NAME = 80;

/** Save the weights under a name, or freeze the whole board as it is today. */
export function SaveBoard({ board, isOpen, onClose, onSaved }: SaveBoardProps) {
  const { t } = useTranslation(["boards", "ui"]);
  const save = useSaveBoard(board.task_slug);
  const { register, handleSubmit, formState, setError, control, setValue } = useForm<SaveValues>({
    defaultValues: { name: "", description: "", kind: "fork" },
  });
  const key = useIdempotencyKey();
  const kind = useWatch({ control, name: "kind" });
  const submit = handleSubmit((values) => {
    const weights = {
      metrics: Object.fromEntries(board.metrics.map(({ name, weight }) => [name, weight])),
      datasets: Object.fromEntries(board.datasets.map((one) => [one.key, one.weight])),
      budget_gib: board.budget_gib,
      rates: board.rates?.board_id ?? null,
    };
    const body = { ...values, name: values.name.trim(), weights };
    save.mutate(
      { body, key: key.keyFor(body) },
      {
        onSuccess: ({ id }) => onSaved(id),
        onError: (error) => {
          if (showFieldProblems(error, setError, ["name", "description"])) save.reset();
        },
      },
    );
  });
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t("save.title")}
      closeButtonProps={{ "aria-label": t("close", { ns: "ui" }) }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Radio.Group
            label={t("save.kind")}
            value={kind}
            onChange={(value) => setValue("kind", value === "snapshot" ? "snapshot" : "fork")}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="fork" label={t("save.fork")} description={t("save.forkHelp")} />
              <Radio
                value="snapshot"
                label={t("save.snapshot")}
                description={t("save.snapshotHelp")}
              />
            </Stack>
          </Radio.Group>
          <TextInput
            label={t("save.name")}
            maxLength={LONGEST_NAME}
            error={formState.errors.name?.message}
            {...register("name", {
              validate: (name) => name.trim() !== "" || t("save.nameMissing"),
            })}
          />
          <Textarea
            label={t("save.description")}
            autosize
            minRows={2}
            maxLength={2000}
            error={formState.errors.description?.message}
            {...register("description")}
          />
          <FormAlert error={save.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t("confirm.cancel", { ns: "ui" })}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {kind === "fork" ? t("save.doFork") : t("save.doSnapshot")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
