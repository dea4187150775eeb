import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

import { FormAlert } from "./form-alert";

interface ConfirmButtonProps extends ButtonProps {
  /** What the button does, as a verb: "Close round 2". */
  children: string;
  /** What will happen, and whether it can be undone. */
  consequence: string;
  /** What else to know before; made when the dialog opens. */
  details?: ReactNode;
  /** May reject: then the dialog stays open and says why. */
  onConfirm: () => Promise<unknown>;
}

/** A button whose deed is hard to undo: says what will happen and asks once. */
export function ConfirmButton({
  children,
  consequence,
  details,
  onConfirm,
  ...rest
}: ConfirmButtonProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = () => {
    setOpen(false);
    setError(null);
  };
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      close();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button variant="default" {...rest} onClick={() => setOpen(true)}>
        {children}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={children}
        closeButtonProps={{ "aria-label": t("close") }}
      >
        <Stack gap="sm">
          <Text>{consequence}</Text>
          {details}
          <FormAlert error={error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close} data-autofocus>
              {t("confirm.cancel")}
            </Button>
            <Button loading={isBusy} onClick={confirm}>
              {children}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
