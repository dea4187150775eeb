import { Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import type { Schemas } from "../../lib/api-client";
import { useActivateTask } from "./queries";

/** What a task's owner has to know of a task that is not active, and the way out of a draft. */
export function DraftNotice({ task }: { task: Schemas["TaskRead"] }) {
  const { t } = useTranslation(["owner", "tasks"]);
  const activate = useActivateTask(task.slug);
  if (task.status === "active") return null;
  return (
    <Group gap="sm" mb="md">
      <Text>
        {t(`status.${task.status}`, { ns: "tasks" })}
        {task.status === "draft" && ` ${t("draft.next")}`}
      </Text>
      {task.status === "draft" && (
        <ConfirmButton
          size="compact-sm"
          consequence={t("draft.activateWill")}
          onConfirm={() => activate.mutateAsync()}
        >
          {t("draft.activate")}
        </ConfirmButton>
      )}
    </Group>
  );
}
