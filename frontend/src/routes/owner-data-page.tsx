import { Stack, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { Section } from "../components/ui/section";
import { QueryView } from "../components/ui/states";
import { JobList } from "../features/jobs/job-list";
import { DataSection } from "../features/tasks/data-section";
import { useJobList } from "../lib/job-list";
import { OwnerFrame } from "./owner-frame";

/** What rounds have brought, and the work in the background. */
export function OwnerDataPage() {
  const { slug } = useParams({ from: "/tasks/$slug/owner/data" });
  const { t } = useTranslation(["owner", "jobs"]);
  const jobs = useJobList();
  return (
    <OwnerFrame slug={slug} section="data">
      {() => (
        <Stack gap="xl">
          <Section title={t("data.releases")}>
            <DataSection slug={slug} />
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
