import { List, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import type { ReleasePlan } from "./queries";

type PlannedSplit = ReleasePlan["splits"][number];

/** What a release would hold, what it leaves out, and what it lacks. */
export function PlanSummary({ plan }: { plan: ReleasePlan }) {
  const { t } = useTranslation("releases");
  const columns: Column<PlannedSplit>[] = [
    { key: "split", header: t("split"), cell: ({ split }) => split },
    { key: "items", header: t("items"), cell: ({ items }) => items, isNumber: true },
    { key: "fooling", header: t("fooling"), cell: ({ fooling }) => fooling, isNumber: true },
    { key: "verified", header: t("verified"), cell: ({ verified }) => verified, isNumber: true },
    { key: "contexts", header: t("contexts"), cell: ({ contexts }) => contexts, isNumber: true },
    {
      key: "annotators",
      header: t("annotators"),
      cell: ({ annotators }) => annotators ?? "–",
      isNumber: true,
    },
    {
      key: "labels",
      header: t("labels"),
      cell: ({ labels }) =>
        Object.entries(labels)
          .map(([label, count]) => `${label} ${count}`)
          .join(", ") || "–",
      isProse: true,
    },
  ];
  return (
    <Stack gap="sm">
      <DataTable
        caption={t("splits", { stored: plan.stored })}
        columns={columns}
        rows={plan.splits}
        rowKey={({ split }) => split}
      />
      {plan.test_only_annotators > 0 && (
        <Text size="sm">{t("testOnly", { count: plan.test_only_annotators })}</Text>
      )}
      {plan.exclusions.length > 0 && (
        <Text size="sm">
          {t("leftOut", {
            list: plan.exclusions
              .map(({ reason, examples }) => t(`reason.${reason}`, { count: examples }))
              .join(", "),
          })}
        </Text>
      )}
      {plan.disputed > 0 && <Text size="sm">{t("disputed", { count: plan.disputed })}</Text>}
      {plan.missing.length > 0 && (
        <div>
          <Title order={3} size="h5" c="var(--db-bad)">
            {t("missingTitle")}
          </Title>
          <List size="sm" spacing={2}>
            {plan.missing.map(({ code }) => (
              <List.Item key={code}>{t(`missing.${code}`)}</List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  );
}
