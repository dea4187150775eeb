import { Button, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { useFlagExample } from "./queries";

const LONGEST_REASON = 500;

/** Say that something is wrong with an example or its context, and what. */
export function FlagButton({ exampleId }: { exampleId: string }) {
  const { t } = useTranslation("compose");
  const { t: tUi } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const flag = useFlagExample(exampleId);
  const close = () => {
    setOpen(false);
    flag.reset();
  };
  const send = (event: SyntheticEvent) => {
    event.preventDefault();
    if (reason.trim() !== "") flag.mutate(reason.trim(), { onSuccess: close });
  };
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
        {t("flag.button")}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t("flag.title")}
        closeButtonProps={{ "aria-label": tUi("close") }}
      >
        <form onSubmit={send}>
          <Stack gap="sm">
            <Text>{t("flag.consequence")}</Text>
            <Textarea
              label={t("flag.reason")}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              maxLength={LONGEST_REASON}
              autosize
              minRows={2}
              required
              data-autofocus
            />
            <FormAlert error={flag.error} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                {tUi("confirm.cancel")}
              </Button>
              <Button type="submit" loading={flag.isPending}>
                {t("flag.button")}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
