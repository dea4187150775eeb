import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { MediaTask } from "../components/ui/fields/media-task";
import { AnchorLink, ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { ContentWarning } from "../features/compose/content-warning";
import { SignInLink } from "../features/compose/sign-in-link";
import { chooseRound, roundListQuery } from "../features/rounds/queries";
import { sessionQuery } from "../features/session/queries";
import { taskQuery } from "../features/tasks/queries";
import { InstructionsButton } from "../features/validate/instructions-button";
import { ValidateDesk } from "../features/validate/validate-desk";
import type { Schemas } from "../lib/api-client";
import { inLanguage } from "../lib/local-text";
import { readConfig } from "../lib/task-config";
import { taskText } from "../lib/task-text";

/** Judge other people's examples, one after the other. */
export function ValidatePage() {
  const { slug } = useParams({ from: "/tasks/$slug/validate" });
  const task = useQuery(taskQuery(slug));
  const { t } = useTranslation("validate");
  return (
    <QueryView
      query={task}
      loading={
        <>
          <PageHeader title={t("loadingTitle")} />
          <Loading lines={6} />
        </>
      }
    >
      {(found) => <TaskToValidate task={found} />}
    </QueryView>
  );
}

function TaskToValidate({ task }: { task: Schemas["TaskRead"] }) {
  const { t, i18n } = useTranslation("validate");
  const { round: number } = useSearch({ from: "/tasks/$slug/validate" });
  const session = useQuery(sessionQuery());
  const rounds = useQuery(roundListQuery(task.slug));
  const config = readConfig(task.config);
  const instructions = inLanguage(config.instructions, i18n.language);
  const round = rounds.data === undefined ? null : chooseRound(rounds.data, number);
  const subtitle =
    round === null ? undefined : (
      <AnchorLink
        to="/tasks/$slug/rounds/$number"
        params={{ slug: task.slug, number: String(round.number) }}
      >
        {t("round", { number: round.number })}
      </AnchorLink>
    );
  return (
    <>
      <PageHeader
        title={t("title", { task: taskText(task, "title", i18n.language) })}
        {...(subtitle === undefined ? {} : { subtitle })}
      />
      <QueryView query={session}>
        {({ user }) =>
          user === null ? (
            <SignInFirst />
          ) : (
            <QueryView query={rounds} loading={<Loading lines={6} />}>
              {() =>
                round === null ? (
                  <NoRound slug={task.slug} number={number} />
                ) : (
                  <ContentWarning
                    slug={task.slug}
                    warning={inLanguage(config.contentWarning, i18n.language)}
                  >
                    <MediaTask slug={task.slug}>
                      <ValidateDesk
                        key={`${round.id} ${user.id}`}
                        slug={task.slug}
                        roundId={round.id}
                        user={user.username}
                        config={config}
                        isOpen={round.status === "open"}
                        instructions={
                          instructions === "" ? null : (
                            <InstructionsButton instructions={instructions} />
                          )
                        }
                      />
                    </MediaTask>
                  </ContentWarning>
                )
              }
            </QueryView>
          )
        }
      </QueryView>
    </>
  );
}

function SignInFirst() {
  const { t } = useTranslation("validate");
  return (
    <Empty
      title={t("signIn.title")}
      action={<SignInLink isButton>{t("signIn.action")}</SignInLink>}
    >
      {t("signIn.body")}
    </Empty>
  );
}

function NoRound({ slug, number }: { slug: string; number: number | undefined }) {
  const { t } = useTranslation("validate");
  return (
    <Empty
      title={number === undefined ? t("noRound.title") : t("noSuchRound", { number })}
      action={
        <ButtonLink to="/tasks/$slug" params={{ slug }} mt="xs">
          {t("noRound.task")}
        </ButtonLink>
      }
    >
      {t("noRound.body")}
    </Empty>
  );
}
