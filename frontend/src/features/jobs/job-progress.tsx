import { Group, Progress, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { QueryView } from "../../components/ui/states";
import { formatPercent } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import { isGoingOn, type Job, jobKeys } from "../../lib/job-list";
import { useLiveQuery } from "../../lib/use-live";
import { jobQuery, useCancelJob } from "./queries";

/** One job until it ends; then everything it may have changed is asked for again. */
export function JobProgress({ jobId, title }: { jobId: string; title: string }) {
  const live = useLiveQuery({
    address: `/api/v1/jobs/${jobId}/live`,
    event: "job",
    queryKey: jobKeys.one(jobId),
  });
  const job = useQuery(jobQuery(jobId, live.state === "live"));
  const client = useQueryClient();
  const wasGoingOn = useRef(false);
  const goesOn = job.data !== undefined && isGoingOn(job.data);
  useEffect(() => {
    const isEnd = wasGoingOn.current && !goesOn;
    wasGoingOn.current = goesOn;
    if (!isEnd) return;
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== jobKeys.all[0] });
  }, [goesOn, client]);
  return <QueryView query={job}>{(found) => <JobLine job={found} title={title} />}</QueryView>;
}

interface JobLineProps {
  job: Job;
  title: string;
  /** When it was asked for, where many are listed. */
  asked?: string;
}

/** How far a job is, in a bar and in words. */
export function JobLine({ job, title, asked }: JobLineProps) {
  const { t, i18n } = useTranslation("jobs");
  const cancel = useCancelJob(job.id);
  const state = t(`state.${job.state}`);
  // What it was last doing says nothing once it has done all.
  const said = saidOf(job.error ?? (job.state === "done" ? "" : job.message), job.told);
  const share = formatPercent(job.progress, i18n.language);
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text fw={600}>{title}</Text>
          {asked !== undefined && (
            <Text size="sm" c="dimmed">
              {asked}
            </Text>
          )}
        </Group>
        <Text size="sm" c={job.state === "failed" ? "var(--db-bad)" : "dimmed"} aria-live="polite">
          {job.state === "running" ? `${state}, ${share}` : state}
        </Text>
      </Group>
      {isGoingOn(job) && <Progress size={6} value={100 * job.progress} aria-label={title} />}
      {said !== "" && (
        <Text size="sm" c={job.error === null ? "dimmed" : "var(--db-bad)"}>
          {said}
        </Text>
      )}
      {isGoingOn(job) && (
        <div>
          <ConfirmButton
            size="compact-sm"
            consequence={t("cancelWill")}
            onConfirm={() => cancel.mutateAsync()}
          >
            {t("cancel")}
          </ConfirmButton>
        </div>
      )}
    </Stack>
  );
}
