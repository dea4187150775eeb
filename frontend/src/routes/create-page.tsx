import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { MediaTask } from "../components/ui/fields/media-task";
import { PageHeader } from "../components/ui/page-header";
import { Loading, QueryView } from "../components/ui/states";
import { Compose } from "../features/compose/compose";
import { ContentWarning } from "../features/compose/content-warning";
import { NoOpenRound } from "../features/compose/no-open-round";
import { Sandbox } from "../features/compose/sandbox";
import { SignInLink } from "../features/compose/sign-in-link";
import { sessionQuery } from "../features/session/queries";
import { currentRoundQuery, taskQuery } from "../features/tasks/queries";
import type { Schemas } from "../lib/api-client";
import { inLanguage } from "../lib/local-text";
import { useOpensLater } from "../lib/opens-later";
import { readConfig } from "../lib/task-config";
import { taskText } from "../lib/task-text";

/** Where annotators write: the task, its round and the person decide what is shown. */
export function CreatePage() {
  const { slug } = useParams({ from: "/tasks/$slug/create" });
  const { t } = useTranslation("compose");
  const task = useQuery(taskQuery(slug));
  return (
    <>
      {task.data === undefined && <PageHeader title={t("untitled")} />}
      <QueryView query={task} loading={<Loading lines={8} />}>
        {(found) => <WarnedTask task={found} />}
      </QueryView>
    </>
  );
}

function WarnedTask({ task }: { task: Schemas["TaskRead"] }) {
  const { t, i18n } = useTranslation("compose");
  const warning = inLanguage(readConfig(task.config).contentWarning, i18n.language);
  return (
    <ContentWarning
      slug={task.slug}
      warning={warning}
      heading={<PageHeader title={t("title", { task: taskText(task, "title", i18n.language) })} />}
    >
      <PersonAndRound task={task} />
    </ContentWarning>
  );
}

function PersonAndRound({ task }: { task: Schemas["TaskRead"] }) {
  const session = useQuery(sessionQuery());
  const current = useQuery(currentRoundQuery(task.slug));
  return (
    <QueryView query={session} loading={<Loading lines={8} />}>
      {({ user }) => (
        <QueryView query={current} loading={<Loading lines={8} />}>
          {(latest) => {
            const round = latest?.round ?? null;
            return <Desk task={task} round={round} user={user?.username ?? null} />;
          }}
        </QueryView>
      )}
    </QueryView>
  );
}

interface DeskProps {
  task: Schemas["TaskRead"];
  round: Schemas["RoundRead"] | null;
  user: string | null;
}

function Desk({ task, round, user }: DeskProps) {
  const opens = useOpensLater(round);
  if (user !== null && round?.status === "open" && opens === null) {
    return (
      <MediaTask slug={task.slug}>
        <Compose task={task} round={round} user={user} />
      </MediaTask>
    );
  }
  return (
    <MediaTask slug={user === null ? null : task.slug}>
      <Play task={task} round={round} user={user} opens={opens} />
    </MediaTask>
  );
}

interface PlayProps extends DeskProps {
  /** When the round will take examples, where that is to come. */
  opens: string | null;
}

/** Nothing counts here: nobody is signed in, or no round takes examples. */
function Play({ task, round, user, opens }: PlayProps) {
  const { t, i18n } = useTranslation("compose");
  const isOpen = round?.status === "open" && opens === null;
  return (
    <>
      <PageHeader title={t("title", { task: taskText(task, "title", i18n.language) })} />
      <Stack gap="lg">
        {isOpen ? (
          <Stack gap="xs" align="flex-start">
            <Text fw={600}>{t("signIn.title")}</Text>
            <Text>{t("signIn.body")}</Text>
            <Group>
              <SignInLink isButton>{t("signIn.invite")}</SignInLink>
            </Group>
          </Stack>
        ) : (
          <NoOpenRound slug={task.slug} round={round} user={user} opens={opens} />
        )}
        {/* Before its opening nobody rehearses against a round's targets. */}
        {opens === null && (round === null || round.targets.length > 0) && <Sandbox task={task} />}
      </Stack>
    </>
  );
}
