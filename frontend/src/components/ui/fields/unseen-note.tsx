import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { DrawnField } from "../../../lib/task-config";

/** Says of a field that only people see that it is one; nothing of all others. */
export function UnseenNote({ field }: { field: DrawnField }) {
  const { t } = useTranslation();
  if (field.is_shown_to_model !== false) return null;
  return (
    <Text size="sm" c="dimmed" mt={4}>
      {t("field.unseen", { ns: "ui" })}
    </Text>
  );
}
