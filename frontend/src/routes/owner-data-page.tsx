import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { Section } from "../components/ui/section";
import { Loading, QueryView } from "../components/ui/states";
import { JobList } from "../features/jobs/job-list";
import { JobProgress } from "../features/jobs/job-progress";
import { jobListQuery } from "../features/jobs/queries";
import { DataSection } from "../features/tasks/data-section";
import { datasetsQuery } from "../features/tasks/queries";
import { recipeListQuery } from "../features/training/queries";
import { TrainingForm } from "../features/training/training-form";
import { OwnerFrame } from "./owner-frame";

/** What rounds have brought, and the model that learns from it. */
export function OwnerDataPage() {
  const { slug } = useParams({ from: "/tasks/$slug/owner/data" });
  const { t } = useTranslation(["owner", "training", "jobs"]);
  const jobs = useQuery(jobListQuery());
  return (
    <OwnerFrame slug={slug} section="data">
      {() => (
        <Stack gap="xl">
          <Section title={t("data.releases")}>
            <DataSection slug={slug} />
          </Section>
          <Section title={t("title", { ns: "training" })}>
            <Training slug={slug} />
          </Section>
          <Section title={t("title", { ns: "jobs" })}>
            <QueryView
              query={jobs}
              isEmpty={(found) => found.length === 0}
              empty={<Text c="dimmed">{t("none", { ns: "jobs" })}</Text>}
            >
              {(found) => <JobList jobs={found} />}
            </QueryView>
          </Section>
        </Stack>
      )}
    </OwnerFrame>
  );
}

function Training({ slug }: { slug: string }) {
  const { t } = useTranslation("training");
  const recipes = useQuery(recipeListQuery(slug));
  const datasets = useQuery(datasetsQuery(slug));
  const [job, setJob] = useState<{ id: string; name: string } | null>(null);
  if (job !== null) {
    return (
      <Stack gap="sm" align="stretch">
        <JobProgress jobId={job.id} title={t("started", { name: job.name })} />
        <Group gap="xs">
          <Button variant="default" onClick={() => setJob(null)}>
            {t("another")}
          </Button>
          <ButtonLink to="/tasks/$slug/owner" params={{ slug }} variant="default">
            {t("toRounds")}
          </ButtonLink>
        </Group>
      </Stack>
    );
  }
  return (
    <QueryView query={recipes} loading={<Loading lines={6} />}>
      {(found) => (
        <QueryView query={datasets} loading={<Loading lines={6} />}>
          {(released) => (
            <TrainingForm
              slug={slug}
              recipes={found}
              datasets={released.filter(({ origin }) => origin !== "perturbation")}
              onStart={(id, name) => setJob({ id, name })}
            />
          )}
        </QueryView>
      )}
    </QueryView>
  );
}
