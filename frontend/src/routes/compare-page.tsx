import "../lib/i18n/later/evaluations";

import { NativeSelect, SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../components/ui/page-header";
import { Section } from "../components/ui/section";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { ComparisonView } from "../features/evaluations/comparison-view";
import { DifferingItems } from "../features/evaluations/differing-items";
import { comparisonQuery } from "../features/evaluations/queries";
import { type Model, modelListQuery } from "../features/models/queries";
import { taskQuery } from "../features/tasks/queries";
import type { Schemas } from "../lib/api-client";
import { readConfig } from "../lib/task-config";
import { TaskLink } from "./task-link";

const route = getRouteApi("/tasks/$slug/compare");

/** Two models of a task side by side: a paired test in words and numbers, and where they differ. */
export function ComparePage() {
  const { slug } = route.useParams();
  const { t } = useTranslation("evaluations");
  const task = useQuery(taskQuery(slug));
  const models = useQuery(modelListQuery(slug));
  return (
    <>
      <PageHeader title={t("compare.title")} subtitle={<TaskLink slug={slug} />} />
      <QueryView query={task} loading={<Loading lines={2} />}>
        {(found) => (
          <QueryView query={models} loading={<Loading lines={6} />}>
            {(list) => <Compare task={found} models={list} />}
          </QueryView>
        )}
      </QueryView>
    </>
  );
}

interface CompareProps {
  task: Schemas["TaskRead"];
  models: readonly Model[];
}

function Compare({ task, models }: CompareProps) {
  const { t } = useTranslation("evaluations");
  const { left = "", right = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const choice = models.filter(({ status, purpose }) => status === "ready" && purpose === "target");
  const options = (other: string) => [
    { value: "", label: t("compare.chooseOne") },
    ...choice
      .filter(({ id }) => id !== other)
      .map(({ id, name, version }) => ({ value: id, label: `${name} v${version}` })),
  ];
  const choose = (change: { left?: string; right?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" maw={640}>
        <NativeSelect
          label={t("compare.left")}
          data={options(right)}
          value={left}
          onChange={(event) => choose({ left: event.currentTarget.value })}
        />
        <NativeSelect
          label={t("compare.right")}
          data={options(left)}
          value={right}
          onChange={(event) => choose({ right: event.currentTarget.value })}
        />
      </SimpleGrid>
      {left === "" || right === "" ? (
        <Empty title={t("compare.choose")}>{t("compare.chooseNext")}</Empty>
      ) : (
        <Compared task={task} left={left} right={right} />
      )}
    </Stack>
  );
}

interface ComparedProps {
  task: Schemas["TaskRead"];
  left: string;
  right: string;
}

function Compared({ task, left, right }: ComparedProps) {
  const { t } = useTranslation("evaluations");
  const { dataset: wanted, better = "any" } = route.useSearch();
  const navigate = route.useNavigate();
  const comparison = useQuery(comparisonQuery(left, right));
  return (
    <QueryView query={comparison} loading={<Loading lines={8} />}>
      {(found) => {
        const { datasets } = found;
        const chosen =
          datasets.find(({ dataset_version_id }) => dataset_version_id === wanted) ?? datasets[0];
        return (
          <Stack gap="xl">
            <ComparisonView comparison={found} chosen={chosen} />
            {chosen !== undefined && (
              <Section title={t("compare.differing")}>
                <DifferingItems
                  key={chosen.dataset_version_id}
                  comparison={found}
                  dataset={chosen}
                  config={readConfig(task.config)}
                  better={better}
                  onChange={(value) =>
                    void navigate({
                      search: (before) => ({ ...before, better: value }),
                      replace: true,
                      resetScroll: false,
                    })
                  }
                />
              </Section>
            )}
          </Stack>
        );
      }}
    </QueryView>
  );
}
