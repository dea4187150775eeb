import { Progress, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { Failed, QueryView } from "../../components/ui/states";
import { formatPercent } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import { jobProblem } from "../../lib/job-list";
import { datasetJobQuery, datasetKeys, isGoingOn } from "./queries";

interface JobWatchProps {
  jobId: string;
  /** What the job does, for its bar. */
  title: string;
  /** What came of it, once it is done. */
  children: ReactNode;
}

/** A job that reads or varies a dataset, until it has ended and its result can be shown. */
export function JobWatch({ jobId, title, children }: JobWatchProps) {
  const { t, i18n } = useTranslation("datasets");
  const job = useQuery(datasetJobQuery(jobId));
  const client = useQueryClient();
  const told = useRef<string>(null);
  const isDone = job.data?.state === "done";
  useEffect(() => {
    if (!isDone || told.current === jobId) return;
    told.current = jobId;
    void client.invalidateQueries({
      predicate: ({ queryKey }) =>
        queryKey[0] === datasetKeys.all[0] && queryKey[1] !== "job" && queryKey[1] !== "report",
    });
    void client.invalidateQueries({ queryKey: ["tasks"] });
  }, [isDone, jobId, client]);
  return (
    <QueryView query={job}>
      {(found) => {
        if (isGoingOn(found)) {
          const share = formatPercent(found.progress, i18n.language);
          return (
            <Stack gap={4}>
              <Text size="sm" role="status">
                {t("job.running", { title, share, message: saidOf(found.message, found.told) })}
              </Text>
              <Progress size={6} value={100 * found.progress} aria-label={title} />
            </Stack>
          );
        }
        if (found.state !== "done") {
          const detail = found.error ?? t("job.ended");
          return (
            <Failed
              title={t("job.failed", { title })}
              error={jobProblem(detail, found.error === null ? null : found.told)}
            />
          );
        }
        return children;
      }}
    </QueryView>
  );
}
