import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { Section } from "../components/ui/section";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { ModelForm } from "../features/models/model-form";
import { ModelList } from "../features/models/model-list";
import { modelListQuery } from "../features/models/queries";
import { sessionQuery } from "../features/session/queries";
import type { Schemas } from "../lib/api-client";
import { readConfig } from "../lib/task-config";
import { OwnerFrame } from "./owner-frame";

/** A task's models, and the way to add one that answers elsewhere. */
export function OwnerModelsPage() {
  const { slug } = useParams({ from: "/tasks/$slug/owner/models" });
  return (
    <OwnerFrame slug={slug} section="models">
      {(task) => <Models task={task} />}
    </OwnerFrame>
  );
}

function Models({ task }: { task: Schemas["TaskRead"] }) {
  const { t } = useTranslation("models");
  const models = useQuery(modelListQuery(task.slug));
  const session = useQuery(sessionQuery());
  const config = readConfig(task.config);
  return (
    <Stack gap="xl">
      <Section title={t("list.caption")}>
        <QueryView
          query={models}
          loading={<Loading lines={6} />}
          isEmpty={(found) => found.length === 0}
          empty={<Empty title={t("list.none")}>{t("list.noneNext")}</Empty>}
        >
          {(found) => <ModelList models={found} />}
        </QueryView>
      </Section>
      <Section title={t("form.title")}>
        <ModelForm
          slug={task.slug}
          inputNames={[...config.context, ...config.inputs].map(({ name }) => name)}
          hasRubric={config.hasRubric}
          isConversation={config.inputs.some(({ type }) => type === "chat")}
          isAdmin={session.data?.user?.is_admin === true}
        />
      </Section>
    </Stack>
  );
}
