import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { QueryView } from "../../components/ui/states";
import { type ImportReport, importReportQuery } from "./queries";

type Problem = ImportReport["problems"][number];

/** What became of the file of a job that is done. */
export function ImportResult({ jobId }: { jobId: string }) {
  const report = useQuery(importReportQuery(jobId));
  return <QueryView query={report}>{(found) => <Outcome report={found} />}</QueryView>;
}

/** What is wrong in a file, or what it is stored as. */
function Outcome({ report }: { report: ImportReport }) {
  const { t } = useTranslation("datasets");
  const { state, name, version, items } = report;
  if (state === "refused") return <Problems found={report.problems} more={report.more_problems} />;
  const sizes = report.splits
    .filter((one) => one.items > 0)
    .map((one) => t("split", { split: one.split, count: one.items }))
    .join(", ");
  return (
    <Stack gap={4}>
      <Text role="status" c="var(--db-good)">
        {t(`report.${state}`, { name, version, count: items, sizes })}
      </Text>
      {report.repeated > 0 && (
        <Text size="sm">
          {t("report.repeated", {
            count: report.repeated,
            lines: report.repeated_lines.join(", "),
          })}
        </Text>
      )}
      {report.overlapping > 0 && (
        <Text size="sm">
          {t("report.overlapping", {
            count: report.overlapping,
            lines: report.overlapping_lines.join(", "),
          })}
        </Text>
      )}
      {report.passed_over.length > 0 && (
        <Text size="sm">{t("report.passedOver", { columns: report.passed_over.join(", ") })}</Text>
      )}
    </Stack>
  );
}

/** The rows that are wrong, each with its line and field. */
export function Problems({ found, more }: { found: readonly Problem[]; more: number }) {
  const { t } = useTranslation("datasets");
  return (
    <Stack gap="xs">
      <Text role="alert" c="var(--db-bad)">
        {t("report.refused", { count: found.length + more })}
      </Text>
      <DataTable
        caption={t("report.problems")}
        rows={found}
        rowKey={({ line, field, message }) => `${line} ${field} ${message}`}
        columns={[
          {
            key: "line",
            header: t("report.line"),
            isNumber: true,
            cell: ({ line }) => line ?? "–",
          },
          { key: "field", header: t("report.field"), cell: ({ field }) => field ?? "–" },
          {
            key: "message",
            header: t("report.message"),
            cell: ({ message }) => message,
            isProse: true,
          },
        ]}
      />
      {more > 0 && <Text size="sm">{t("report.more", { count: more })}</Text>}
    </Stack>
  );
}
