import { Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { FormAlert } from "./form-alert";
import { KeyButton } from "./key-button";

interface UndoToast {
  message: string;
  /** May reject: then the toast stays and says why. */
  onUndo: () => Promise<unknown>;
  /** How long the deed can be undone; less than the server allows. */
  seconds?: number;
}

const TOAST_ID = "undo";
let hideTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Say what was done and offer to undo it for a few seconds; one at a time, the latest.
 *
 * A toast that is still there takes the new message over and its time begins anew; hidden and
 * shown in one go it would keep the old one's state and time.
 */
export function showUndoToast({ message, onUndo, seconds = 8 }: UndoToast): void {
  const toast = {
    id: TOAST_ID,
    role: "status",
    message: <UndoMessage key={crypto.randomUUID()} message={message} onUndo={onUndo} />,
    autoClose: false,
    withCloseButton: false,
  };
  notifications.show(toast);
  notifications.update(toast);
  clearTimeout(hideTimer);
  hideTimer = setTimeout(hideUndoToast, seconds * 1000);
}

export function hideUndoToast(): void {
  clearTimeout(hideTimer);
  notifications.hide(TOAST_ID);
}

export function UndoMessage({ message, onUndo }: Pick<UndoToast, "message" | "onUndo">) {
  const { t } = useTranslation();
  const [state, setState] = useState<"done" | "undoing" | "undone">("done");
  const [error, setError] = useState<unknown>(null);
  const undo = async () => {
    setState("undoing");
    setError(null);
    try {
      await onUndo();
      setState("undone");
    } catch (failure) {
      setError(failure);
      setState("done");
    }
  };
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm">{state === "undone" ? t("undone") : message}</Text>
      {state !== "undone" && (
        <KeyButton
          keys="u"
          size="compact-sm"
          variant="default"
          loading={state === "undoing"}
          onKey={() => void undo()}
        >
          {t("undo")}
        </KeyButton>
      )}
      <FormAlert error={error} />
    </Group>
  );
}
