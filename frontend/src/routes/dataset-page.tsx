import "../lib/i18n/later/datasets";

import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { AnchorLink, ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Section } from "../components/ui/section";
import { Loading, QueryView } from "../components/ui/states";
import { ArchivePanel } from "../features/datasets/archive-panel";
import { datasetQuery } from "../features/datasets/archive-queries";
import { DatasetFacts } from "../features/datasets/dataset-facts";
import { ErrataList } from "../features/datasets/errata-list";
import { ReleaseCardView } from "../features/datasets/release-card";
import { TestAnswers } from "../features/datasets/test-answers";
import { taskQuery } from "../features/tasks/queries";
import type { Schemas } from "../lib/api-client";
import { type DrawnField, readConfig } from "../lib/task-config";
import { taskText } from "../lib/task-text";

function shownIn(task: Schemas["TaskRead"]): DrawnField[] {
  const { context, inputs } = readConfig(task.config);
  return [...context, ...inputs];
}

const route = getRouteApi("/tasks/$slug/datasets/$versionId");

/** One dataset for everybody who may see it: what it is, and the file to take home. */
export function DatasetPage() {
  const { t, i18n } = useTranslation("datasets");
  const { slug, versionId } = route.useParams();
  const task = useQuery(taskQuery(slug));
  const version = useQuery(datasetQuery(versionId));
  const title = task.data === undefined ? slug : taskText(task.data, "title", i18n.language);
  const isOwner = task.data?.my_role === "owner";
  return (
    <>
      <PageHeader
        title={version.data === undefined ? t("page.title") : t("version", version.data)}
        subtitle={
          <AnchorLink to="/tasks/$slug" params={{ slug }} underline="always">
            {title}
          </AnchorLink>
        }
        actions={
          isOwner && (
            <ButtonLink
              to="/tasks/$slug/owner/datasets"
              params={{ slug }}
              search={{ dataset: versionId }}
              variant="default"
            >
              {t("page.console")}
            </ButtonLink>
          )
        }
      />
      <QueryView query={version} loading={<Loading lines={8} />}>
        {(found) => (
          <Stack gap="xl">
            <Section title={t("archive.title")}>
              <ArchivePanel version={found} />
              <TestAnswers version={found} isOwner={isOwner} />
            </Section>
            <Section title={t("page.about")}>
              <DatasetFacts version={found} />
            </Section>
            {found.origin === "release" && (
              <Section title={t("card.title")}>
                <ReleaseCardView version={found} />
              </Section>
            )}
            {task.data !== undefined && <ErrataList version={found} shown={shownIn(task.data)} />}
          </Stack>
        )}
      </QueryView>
    </>
  );
}
