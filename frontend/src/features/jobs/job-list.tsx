import { Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { formatDateTime } from "../../lib/format";
import { isGoingOn, type Job } from "../../lib/job-list";
import { useJobTitle } from "../../lib/job-titles";
import { JobLine } from "./job-progress";
import classes from "./jobs.module.css";

const MOST_SHOWN = 10;

/** Jobs that are going on or were lately, so that a reload loses sight of none. */
export function JobList({ jobs }: { jobs: readonly Job[] }) {
  const { t, i18n } = useTranslation("jobs");
  const ordered = jobs.toSorted((one, other) => Number(isGoingOn(other)) - Number(isGoingOn(one)));
  const titleOf = useJobTitle();
  return (
    <Stack gap={0} component="ul" className={classes.list}>
      {ordered.slice(0, MOST_SHOWN).map((job) => (
        <li key={job.id} className={classes.row}>
          <JobLine
            job={job}
            title={titleOf(job)}
            asked={t("asked", { when: formatDateTime(job.created_at, i18n.language) })}
          />
        </li>
      ))}
    </Stack>
  );
}
