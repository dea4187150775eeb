import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { formatDate } from "../../lib/format";
import { useOpenTest } from "./archive-queries";
import type { DatasetVersion } from "./queries";

interface TestAnswersProps {
  version: DatasetVersion;
  isOwner: boolean;
}

/** Whether the right answers of a version are given out, since when, and the way to do so. */
export function TestAnswers({ version, isOwner }: TestAnswersProps) {
  const { t, i18n } = useTranslation("datasets");
  const open = useOpenTest(version.id);
  const since = version.test_opened_at;
  if (since !== null) {
    return (
      <Text role="status">
        {t("answers.open", { date: formatDate(since, i18n.language) })} {t("answers.trust")}
      </Text>
    );
  }
  if (version.access === "standard") return null;
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{t("answers.withheld")}</Text>
      {isOwner && version.perturbs_id === null && (
        <ConfirmButton
          size="compact-sm"
          consequence={t("answers.consequence")}
          onConfirm={() => open.mutateAsync()}
        >
          {t("answers.action")}
        </ConfirmButton>
      )}
    </Stack>
  );
}
