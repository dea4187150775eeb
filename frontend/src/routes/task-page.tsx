import "../lib/i18n/later/boards";
import "../lib/i18n/later/live";

import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../components/ui/page-header";
import { Loading, QueryView } from "../components/ui/states";
import { HistoryView } from "../features/boards/history-view";
import { MyProgress } from "../features/compose/my-progress";
import { TaskLive } from "../features/live/live-numbers";
import { sessionQuery } from "../features/session/queries";
import { currentRoundQuery, taskQuery } from "../features/tasks/queries";
import { TaskSections } from "../features/tasks/task-sections";
import type { Schemas } from "../lib/api-client";
import { useOpensLater } from "../lib/opens-later";
import { taskText } from "../lib/task-text";

/** Everything about one task on one calm page. */
export function TaskPage() {
  const { slug } = useParams({ from: "/tasks/$slug" });
  const { t } = useTranslation("tasks");
  const task = useQuery(taskQuery(slug));
  return (
    <>
      {task.data === undefined && <PageHeader title={t("page.untitled")} />}
      <QueryView query={task} loading={<Loading lines={8} />}>
        {(found) => <FoundTask task={found} />}
      </QueryView>
    </>
  );
}

function FoundTask({ task }: { task: Schemas["TaskRead"] }) {
  const { i18n } = useTranslation();
  const session = useQuery(sessionQuery());
  const isSignedIn = (session.data?.user ?? null) !== null;
  return (
    <>
      <PageHeader
        title={taskText(task, "title", i18n.language)}
        subtitle={taskText(task, "description", i18n.language)}
        actions={<Ways task={task} isSignedIn={isSignedIn} />}
      />
      <TaskSections
        task={task}
        live={<LiveRound slug={task.slug} />}
        history={<TaskHistory task={task} />}
        renderProgress={(roundId) => isSignedIn && <MyProgress roundId={roundId} />}
      />
    </>
  );
}

/** Every model on every round; which lines are drawn stands in the address. */
function TaskHistory({ task }: { task: Schemas["TaskRead"] }) {
  const { drawn } = useSearch({ from: "/tasks/$slug" });
  const navigate = useNavigate({ from: "/tasks/$slug" });
  return (
    <HistoryView
      slug={task.slug}
      isOwner={task.my_role === "owner"}
      drawn={drawn}
      onDraw={(to) =>
        void navigate({
          search: to === undefined ? {} : { drawn: to },
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}

/** The numbers as they change, and the same error rates where the page says them elsewhere. */
function LiveRound({ slug }: { slug: string }) {
  const client = useQueryClient();
  const agree = useCallback(
    (numbers: Schemas["RoundNumbersRead"]) => {
      client.setQueryData(currentRoundQuery(slug).queryKey, (known) =>
        known?.round.id === numbers.round_id ? withRates(known, numbers) : known,
      );
    },
    [client, slug],
  );
  return <TaskLive slug={slug} onNumbers={agree} />;
}

function withRates(
  known: Schemas["CurrentRoundRead"],
  numbers: Schemas["RoundNumbersRead"],
): Schemas["CurrentRoundRead"] {
  const { model_error_rate, validated_model_error_rate, pending } = numbers;
  const rates = { model_error_rate, validated_model_error_rate, pending };
  return { ...known, error_rate: { ...known.error_rate, ...rates } };
}

interface WaysProps {
  task: Schemas["TaskRead"];
  isSignedIn: boolean;
}

/** What the reader may do here, the likeliest first. */
function Ways({ task, isSignedIn }: WaysProps) {
  const { t } = useTranslation("tasks");
  const current = useQuery(currentRoundQuery(task.slug));
  const status = current.data?.round.status;
  const opens = useOpensLater(current.data?.round);
  const isStaff = task.my_role === "owner" || task.my_role === "expert";
  return (
    <>
      {status === "open" && opens === null && (
        <Button component={Link} to={`/tasks/${task.slug}/create`}>
          {t("page.write")}
        </Button>
      )}
      {isSignedIn && (status === "open" || status === "closed") && (
        <Button component={Link} to={`/tasks/${task.slug}/validate`} variant="default">
          {t("page.validate")}
        </Button>
      )}
      <Button component={Link} to={`/tasks/${task.slug}/leaderboard`} variant="default">
        {t("page.leaderboard")}
      </Button>
      {isSignedIn && task.status === "active" && (
        <Button component={Link} to={`/tasks/${task.slug}/submit`} variant="default">
          {t("page.submit")}
        </Button>
      )}
      {isStaff && (
        <Button component={Link} to={consoleOf(task)} variant="default">
          {t("page.console")}
        </Button>
      )}
    </>
  );
}

/** The part of the console that somebody may see: of an expert, that is where disputes wait. */
function consoleOf({ slug, my_role: role }: Schemas["TaskRead"]): string {
  return role === "expert"
    ? `/tasks/${slug}/owner/examples?verdict=disputed`
    : `/tasks/${slug}/owner`;
}
