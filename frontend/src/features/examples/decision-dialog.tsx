import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { type Decided, useDecide, useVoid, type Vote } from "./queries";

export type Deed = Vote | "void";

interface DecisionDialogProps {
  roundId: string;
  deed: Deed;
  ids: readonly string[];
  onClose: () => void;
  onDone: (decided: Decided) => void;
}

/** Says what a decision will do to how many examples, and asks once. */
export function DecisionDialog({ roundId, deed, ids, onClose, onDone }: DecisionDialogProps) {
  const { t } = useTranslation(["examples", "ui"]);
  const decide = useDecide(roundId);
  const discard = useVoid(roundId);
  const [reason, setReason] = useState("");
  const count = ids.length;
  const isVoid = deed === "void";
  const isBusy = decide.isPending || discard.isPending;
  const confirm = () => {
    if (isVoid) discard.mutate({ ids, reason: reason.trim() }, { onSuccess: onDone });
    else decide.mutate({ ids, vote: deed }, { onSuccess: onDone });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(`deed.${deed}`, { count })}
      closeButtonProps={{ "aria-label": t("close", { ns: "ui" }) }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
      >
        <Stack gap="sm">
          <Text>{isVoid ? t("will.void", { count }) : t("will.decide", { count })}</Text>
          <Text>{t("will.own")}</Text>
          {isVoid && (
            <Textarea
              label={t("will.reason")}
              required
              maxLength={500}
              autosize
              minRows={2}
              data-autofocus
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
          <FormAlert error={decide.error ?? discard.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t("confirm.cancel", { ns: "ui" })}
            </Button>
            <Button
              type="submit"
              loading={isBusy}
              disabled={isVoid && reason.trim() === ""}
              // A decision can be decided anew, so Enter may confirm it.
              data-autofocus={isVoid ? undefined : true}
            >
              {t(`deed.${deed}`, { count })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
