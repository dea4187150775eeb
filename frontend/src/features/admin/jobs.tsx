import { Group, Progress, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { type Column, DataTable } from "../../components/ui/data-table";
import { QueryView } from "../../components/ui/states";
import { formatDateTime, formatPercent } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import { isGoingOn, type Job, useJobList } from "../../lib/job-list";
import { useJobTitle } from "../../lib/job-titles";
import classes from "./admin.module.css";
import { useCancelJob } from "./queries";

/** What the workers do and did. */
export function Jobs() {
  const { t } = useTranslation("admin");
  const jobs = useJobList();
  return (
    <QueryView
      query={jobs}
      isEmpty={(list) => list.length === 0}
      empty={<Text c="dimmed">{t("jobs.empty")}</Text>}
    >
      {(list) => <JobTable jobs={list} />}
    </QueryView>
  );
}

function JobTable({ jobs }: { jobs: readonly Job[] }) {
  const { t, i18n } = useTranslation("admin");
  const cancel = useCancelJob();
  const titleOf = useJobTitle();
  const columns: Column<Job>[] = [
    { key: "name", header: t("jobs.name"), cell: titleOf },
    { key: "state", header: t("jobs.state"), cell: (job) => <JobState job={job} /> },
    {
      key: "message",
      header: t("jobs.message"),
      isProse: true,
      cell: said,
    },
    {
      key: "created",
      header: t("jobs.created"),
      cell: (job) => formatDateTime(job.created_at, i18n.language),
    },
  ];
  const change: Column<Job> = {
    key: "change",
    header: t("jobs.change"),
    cell: (job) =>
      isGoingOn(job) && (
        <ConfirmButton
          size="compact-sm"
          consequence={t("jobs.cancelConsequence")}
          onConfirm={() => cancel.mutateAsync(job.id)}
        >
          {t("jobs.cancel", { name: titleOf(job) })}
        </ConfirmButton>
      ),
  };
  const shown = columns
    .concat(jobs.some(isGoingOn) ? change : [])
    .filter(({ key }) => key !== "message" || jobs.some((job) => said(job) !== ""));
  return (
    <DataTable caption={t("jobs.caption")} columns={shown} rows={jobs} rowKey={({ id }) => id} />
  );
}

/** Why it failed or what it is doing, which says nothing once it has done all. */
function said({ error, state, message, told }: Job): string {
  return saidOf(error ?? (state === "done" ? "" : message), told);
}

function JobState({ job }: { job: Job }) {
  const { t, i18n } = useTranslation("admin");
  const titleOf = useJobTitle();
  if (job.state !== "running") {
    return (
      <Text span inherit c={job.state === "failed" ? "var(--db-bad)" : "var(--db-text)"}>
        {t(`jobs.states.${job.state}`)}
      </Text>
    );
  }
  const done = formatPercent(job.progress, i18n.language);
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress
        className={classes.progress ?? ""}
        value={job.progress * 100}
        aria-label={t("jobs.progress", { name: titleOf(job) })}
      />
      <Text span inherit>
        {done}
      </Text>
    </Group>
  );
}
