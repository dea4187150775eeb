import "../lib/i18n/later/datasets";

import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { Section } from "../components/ui/section";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { DatasetDesk } from "../features/datasets/dataset-desk";
import { DatasetList } from "../features/datasets/dataset-list";
import { datasetListQuery } from "../features/datasets/queries";
import { UploadForm } from "../features/datasets/upload-form";
import type { Schemas } from "../lib/api-client";
import { readConfig } from "../lib/task-config";
import { OwnerFrame } from "./owner-frame";

/** What models are scored on: bring it, look it over, say who sees it, vary it. */
export function OwnerDatasetsPage() {
  const { slug } = useParams({ from: "/tasks/$slug/owner/datasets" });
  return (
    <OwnerFrame slug={slug} section="datasets">
      {(task) => <Datasets slug={slug} task={task} />}
    </OwnerFrame>
  );
}

function Datasets({ slug, task }: { slug: string; task: Schemas["TaskRead"] }) {
  const { dataset } = useSearch({ from: "/tasks/$slug/owner/datasets" });
  const { t } = useTranslation("datasets");
  const versions = useQuery(datasetListQuery(slug));
  const { context, inputs, answers } = readConfig(task.config);
  return (
    <Stack gap="xl">
      <Section title={t("list.title")}>
        <QueryView
          query={versions}
          loading={<Loading lines={5} />}
          isEmpty={(found) => found.length === 0}
          empty={<Empty title={t("list.none")}>{t("list.noneNext")}</Empty>}
        >
          {(found) => (
            <DatasetList
              slug={slug}
              versions={found.filter((one) => one.origin !== "perturbation" && one.is_newest)}
            />
          )}
        </QueryView>
      </Section>
      {versions.data
        ?.filter(({ id }) => id === dataset)
        .map((version) => (
          <DatasetDesk
            key={version.id}
            slug={slug}
            version={version}
            versions={versions.data}
            shown={[...context, ...inputs]}
            gold={answers}
          />
        ))}
      <Section title={t("form.title")}>
        <UploadForm
          slug={slug}
          names={[...context, ...inputs, ...answers].map(({ name }) => name)}
        />
      </Section>
    </Stack>
  );
}
