import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { formatDateTime } from "../../lib/format";
import { JobLine } from "./job-progress";
import classes from "./jobs.module.css";
import { isGoingOn, type Job } from "./queries";

const MOST_SHOWN = 10;
const TITLES = new Map([
  ["datasets.release", "datasets_release"],
  ["datasets.published", "datasets_published"],
  ["training.train", "training_train"],
  ["evaluations.evaluate", "evaluations_evaluate"],
] as const);

function titleKeyOf(name: string) {
  return [...TITLES].find(([known]) => known === name)?.[1] ?? "other";
}

/** Jobs that are going on or were lately, so that a reload loses sight of none. */
export function JobList({ jobs }: { jobs: readonly Job[] }) {
  const { t, i18n } = useTranslation("jobs");
  const ordered = jobs.toSorted((one, other) => Number(isGoingOn(other)) - Number(isGoingOn(one)));
  const titleOf = ({ name }: Job) => t(`name.${titleKeyOf(name)}`, { name });
  return (
    <Stack gap={0} component="ul" className={classes.list}>
      {ordered.slice(0, MOST_SHOWN).map((job) => (
        <li key={job.id} className={classes.row}>
          <JobLine job={job} title={titleOf(job)} />
          <Text size="sm" c="dimmed">
            {t("asked", { when: formatDateTime(job.created_at, i18n.language) })}
          </Text>
        </li>
      ))}
    </Stack>
  );
}
