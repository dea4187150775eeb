import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

interface LeaveGuardProps {
  isUnsaved: boolean;
  /** Drops what is not saved. */
  onDiscard: () => void;
}

/** Asks before a page with unsaved text is left, by a link or by closing it. */
export function LeaveGuard({ isUnsaved, onDiscard }: LeaveGuardProps) {
  const { t } = useTranslation("config");
  const { t: tUi } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  });
  const isBlocked = blocker.status === "blocked";
  return (
    <Modal
      opened={isBlocked}
      onClose={() => blocker.reset?.()}
      title={t("leave.title")}
      closeButtonProps={{ "aria-label": tUi("close") }}
    >
      <Stack gap="sm">
        <Text>{t("leave.body")}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
            {t("leave.stay")}
          </Button>
          <Button
            variant="default"
            onClick={() => {
              onDiscard();
              blocker.proceed?.();
            }}
          >
            {t("leave.discard")}
          </Button>
          <Button onClick={() => blocker.proceed?.()}>{t("leave.keep")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
