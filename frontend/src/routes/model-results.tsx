import "../lib/i18n/later/evaluations";

import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { Section } from "../components/ui/section";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { EvaluationDetail } from "../features/evaluations/evaluation-detail";
import { EvaluationTable } from "../features/evaluations/evaluation-table";
import { inOrder } from "../features/evaluations/figures";
import { ItemBrowser } from "../features/evaluations/item-browser";
import { itemFiltersOf, withoutEmpty } from "../features/evaluations/item-search";
import { type Evaluation, evaluationListQuery } from "../features/evaluations/queries";
import type { Model } from "../features/models/queries";
import type { Schemas } from "../lib/api-client";
import { readConfig } from "../lib/task-config";

const route = getRouteApi("/tasks/$slug/models/$modelId");

interface ModelResultsProps {
  task: Schemas["TaskRead"];
  model: Model;
  canManage: boolean;
}

/** A model on every dataset, and one of them item by item. */
export function ModelResults({ task, model, canManage }: ModelResultsProps) {
  const { t } = useTranslation("evaluations");
  const search = route.useSearch();
  const evaluations = useQuery(evaluationListQuery(model.id, canManage));
  const chosen = choose(evaluations.data ?? [], search.evaluation);
  return (
    <>
      <Section title={t("section.results")}>
        <QueryView
          query={evaluations}
          loading={<Loading lines={5} />}
          isEmpty={(found) => found.length === 0}
          empty={<Empty title={t("none")}>{t("noneNext")}</Empty>}
        >
          {(found) => (
            <EvaluationTable
              evaluations={found}
              chosen={chosen?.id ?? null}
              address={{ slug: task.slug, modelId: model.id }}
              canManage={canManage}
            />
          )}
        </QueryView>
      </Section>
      {chosen !== null && <Chosen task={task} evaluation={chosen} canManage={canManage} />}
    </>
  );
}

/** The evaluation that the address names, else the first that is done. */
function choose(evaluations: readonly Evaluation[], id: string | undefined): Evaluation | null {
  const done = inOrder(evaluations).filter(({ state }) => state === "done");
  return done.find((one) => one.id === id) ?? done[0] ?? null;
}

interface ChosenProps {
  task: Schemas["TaskRead"];
  evaluation: Evaluation;
  canManage: boolean;
}

function Chosen({ task, evaluation, canManage }: ChosenProps) {
  const { t } = useTranslation("evaluations");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const dataset = `${evaluation.dataset_name} v${evaluation.dataset_version}`;
  return (
    <Stack gap="xl">
      <Section title={t("section.detail", { dataset })}>
        <EvaluationDetail evaluation={evaluation} canManage={canManage} />
      </Section>
      <div id="items">
        <Section title={t("section.items")}>
          <ItemBrowser
            key={evaluation.id}
            evaluation={evaluation}
            config={readConfig(task.config)}
            filters={itemFiltersOf(search)}
            onChange={(change) =>
              void navigate({
                search: (before) =>
                  withoutEmpty({ ...before, evaluation: evaluation.id, ...change }),
                replace: true,
                resetScroll: false,
              })
            }
          />
        </Section>
      </div>
    </Stack>
  );
}
