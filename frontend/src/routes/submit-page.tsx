import "../lib/i18n/later/submissions";
import "../lib/i18n/later/evaluations";

import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Section } from "../components/ui/section";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { type Model, modelListQuery } from "../features/models/queries";
import { SubmitForm } from "../features/models/submit-form";
import { sessionQuery } from "../features/session/queries";
import { AllowanceText } from "../features/submissions/allowance";
import { ACCEPTED, ArtifactUpload, hasFiles } from "../features/submissions/artifact-upload";
import { FileDrop } from "../features/submissions/file-drop";
import { LocalFirst } from "../features/submissions/local-first";
import { MySubmissions } from "../features/submissions/my-submissions";
import { allowanceQuery } from "../features/submissions/queries";
import classes from "../features/submissions/submissions.module.css";
import { taskQuery } from "../features/tasks/queries";
import type { Schemas } from "../lib/api-client";
import { readConfig } from "../lib/task-config";
import { TaskLink } from "./task-link";

const route = getRouteApi("/tasks/$slug/submit");

/** Hand a model in to a task. */
export function SubmitPage() {
  const { slug } = route.useParams();
  const { t } = useTranslation("submissions");
  const task = useQuery(taskQuery(slug));
  const session = useQuery(sessionQuery());
  return (
    <>
      <PageHeader title={t("page.title")} subtitle={<TaskLink slug={slug} />} />
      <QueryView query={task} loading={<Loading lines={8} />}>
        {(found) => (
          <QueryView query={session}>
            {({ user }) => (user === null ? <SignInFirst slug={slug} /> : <Submit task={found} />)}
          </QueryView>
        )}
      </QueryView>
    </>
  );
}

function SignInFirst({ slug }: { slug: string }) {
  const { t } = useTranslation("submissions");
  return (
    <Empty
      title={t("page.signIn")}
      action={
        <ButtonLink to="/sign-in" search={{ next: `/tasks/${slug}/submit` }}>
          {t("page.signInNow")}
        </ButtonLink>
      }
    >
      {t("page.signInNext")}
    </Empty>
  );
}

function Submit({ task }: { task: Schemas["TaskRead"] }) {
  const { t } = useTranslation("submissions");
  const models = useQuery(modelListQuery(task.slug));
  if (task.status !== "active") {
    return <Empty title={t("page.notActive")}>{t("page.notActiveNext")}</Empty>;
  }
  return (
    <div className={classes.columns}>
      <HandIn task={task} />
      <Stack gap="xl">
        <Section title={t("local.title")}>
          <LocalFirst slug={task.slug} />
        </Section>
        <Section title={t("mine.title")}>
          <QueryView query={models}>{(found) => <MySubmissions models={found} />}</QueryView>
        </Section>
      </Stack>
    </div>
  );
}

/** The form, and once it is sent the way of its files. */
function HandIn({ task }: { task: Schemas["TaskRead"] }) {
  const { t } = useTranslation("submissions");
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const [waiting, setWaiting] = useState<Model | null>(null);
  const allowance = useQuery(allowanceQuery(task.slug));
  const config = readConfig(task.config);
  const look = (model: Model) =>
    void navigate({
      to: "/tasks/$slug/models/$modelId",
      params: { slug: task.slug, modelId: model.id },
    });
  if (waiting !== null) {
    return (
      <Section title={t("page.sending", { name: `${waiting.name} v${waiting.version}` })}>
        <Text mb="sm">{t("page.sendingHelp")}</Text>
        <ArtifactUpload model={waiting} first={file} onDone={() => look(waiting)} />
      </Section>
    );
  }
  return (
    <QueryView query={allowance} loading={<Loading lines={8} />}>
      {(allowed) => (
        <Stack gap="md">
          <AllowanceText allowance={allowed} />
          <SubmitForm
            slug={task.slug}
            inputNames={[...config.context, ...config.inputs].map(({ name }) => name)}
            isConversation={config.inputs.some(({ type }) => type === "chat")}
            codeRefusal={allowed.code_refusal}
            hasFiles={file !== null}
            renderFiles={(kind) =>
              hasFiles(kind) && (
                <FileDrop
                  accept={ACCEPTED[kind]}
                  label={t("file.label")}
                  help={t(`file.${kind}`)}
                  chosen={file}
                  onChoose={setFile}
                />
              )
            }
            onSubmitted={(model, takesFiles) => (takesFiles ? setWaiting(model) : look(model))}
          />
        </Stack>
      )}
    </QueryView>
  );
}
