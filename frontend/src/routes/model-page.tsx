import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Section } from "../components/ui/section";
import { Loading, QueryView } from "../components/ui/states";
import { ModelCard } from "../features/models/model-card";
import { ModelDeeds } from "../features/models/model-deeds";
import { ModelFacts } from "../features/models/model-facts";
import { type Model, modelListQuery, modelQuery } from "../features/models/queries";
import { taskQuery } from "../features/tasks/queries";
import type { Schemas } from "../lib/api-client";
import { ModelCheck } from "./model-check";
import { ModelResults } from "./model-results";
import { TaskLink } from "./task-link";

const route = getRouteApi("/tasks/$slug/models/$modelId");

/** One version of a model: what it is, what its authors say, and how it did everywhere. */
export function ModelPage() {
  const { slug, modelId } = route.useParams();
  const { t } = useTranslation("models");
  const task = useQuery(taskQuery(slug));
  const model = useQuery(modelQuery(modelId));
  const shown = model.data;
  return (
    <>
      <PageHeader
        title={shown === undefined ? t("page.untitled") : `${shown.name} v${shown.version}`}
        subtitle={<TaskLink slug={slug} />}
        {...(shown?.status === "ready"
          ? {
              actions: (
                <ButtonLink
                  variant="default"
                  to="/tasks/$slug/compare"
                  params={{ slug }}
                  search={{ left: modelId }}
                >
                  {t("page.compare")}
                </ButtonLink>
              ),
            }
          : {})}
      />
      <QueryView query={task} loading={<Loading lines={4} />}>
        {(foundTask) => (
          <QueryView query={model} loading={<Loading lines={8} />}>
            {(found) => <FoundModel key={found.id} task={foundTask} model={found} />}
          </QueryView>
        )}
      </QueryView>
    </>
  );
}

interface FoundModelProps {
  task: Schemas["TaskRead"];
  model: Model;
}

function FoundModel({ task, model }: FoundModelProps) {
  const { t } = useTranslation("models");
  const navigate = useNavigate();
  const models = useQuery(modelListQuery(task.slug));
  const isOwner = task.my_role === "owner";
  const canManage = model.is_mine || isOwner;
  const isNobodys = model.submitted_by === null && !model.is_anonymous;
  const versions = (models.data ?? [])
    .filter(({ name, purpose }) => name === model.name && purpose === model.purpose)
    .toSorted((one, other) => other.version - one.version);
  return (
    <Stack gap="xl">
      {model.description !== "" && (
        <Text maw="var(--db-text-width)" style={{ whiteSpace: "pre-wrap" }}>
          {model.description}
        </Text>
      )}
      <ModelFacts model={model} versions={versions} />
      {canManage && <ModelCheck model={model} />}
      {model.status === "ready" && <ModelResults task={task} model={model} canManage={canManage} />}
      <Section title={t("card.title")}>
        <ModelCard model={model} canEdit={model.is_mine || (isOwner && isNobodys)} />
      </Section>
      {canManage && (
        <Section title={t("deeds.title")}>
          <ModelDeeds
            model={model}
            onDeleted={() =>
              void navigate({ to: "/tasks/$slug/submit", params: { slug: task.slug } })
            }
          />
        </Section>
      )}
    </Stack>
  );
}
