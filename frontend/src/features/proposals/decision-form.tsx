import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { FormAlert } from "../../components/ui/form-alert";
import { useIdempotencyKey } from "../../lib/idempotency";
import { type Decision, type Proposal, useDecide } from "./queries";

/** Accept, ask for changes or reject: about the revision that is shown, and no other. */
export function DecisionForm({ proposal }: { proposal: Proposal }) {
  const { t } = useTranslation("proposals");
  const { id, slug, revision, proposed_by: author } = proposal;
  const [text, setText] = useState("");
  const decide = useDecide(id);
  const { keyFor } = useIdempotencyKey();
  const send = (status: Decision["status"]) => {
    const body = { status, revision, text: text.trim() };
    return decide.mutateAsync({ ...body, key: keyFor(body) });
  };
  const isWordless = text.trim() === "";
  return (
    <Stack gap="sm" align="flex-start">
      <Textarea
        label={t("decide.text")}
        description={t("decide.textHelp")}
        autosize
        minRows={2}
        maxLength={4000}
        w="100%"
        maw="48rem"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group gap="xs">
        <ConfirmButton
          variant="filled"
          consequence={t("decide.acceptWill", { slug, author })}
          onConfirm={() => send("accepted")}
        >
          {t("decide.accept")}
        </ConfirmButton>
        <Button
          variant="default"
          disabled={isWordless}
          loading={decide.isPending}
          // The mutation holds a failure, and the line below shows it.
          onClick={() => void send("changes_asked").catch(() => null)}
        >
          {t("decide.ask")}
        </Button>
        <ConfirmButton
          disabled={isWordless}
          consequence={t("decide.rejectWill", { author })}
          onConfirm={() => send("rejected")}
        >
          {t("decide.reject")}
        </ConfirmButton>
      </Group>
      <FormAlert error={decide.error} />
    </Stack>
  );
}
