import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

import { Empty, Loading, QueryView } from "../../components/ui/states";
import { currentRoundsQuery, taskListQuery } from "./queries";
import { TaskCard } from "./task-card";
import classes from "./task-list.module.css";

interface TaskListProps {
  /** Whose tries count once a round is open: they write, and cannot rehearse. */
  isSignedIn: boolean;
  /** The box in which a task's model can be tried; `close` puts it away. */
  renderTry: (slug: string, close: () => void) => ReactNode;
}

/** Every task that the reader may see, each with its round and how hard its target is today. */
export function TaskList({ isSignedIn, renderTry }: TaskListProps) {
  const { t } = useTranslation("tasks");
  const tasks = useQuery(taskListQuery());
  const rounds = useQuery(currentRoundsQuery());
  const [tried, setTried] = useState<string | null>(null);
  const close = () => setTried(null);
  return (
    <QueryView
      query={tasks}
      loading={<Loading lines={6} />}
      isEmpty={(list) => list.length === 0}
      empty={<Empty title={t("list.empty")}>{t("list.emptyNext")}</Empty>}
    >
      {(list) => (
        <div className={classes.list}>
          {list.map((task) => (
            <TaskCard
              key={task.slug}
              task={task}
              current={rounds.data?.find(({ task_slug }) => task_slug === task.slug) ?? null}
              rounds={rounds}
              isSignedIn={isSignedIn}
              isTried={tried === task.slug}
              onToggleTry={() => setTried(tried === task.slug ? null : task.slug)}
            >
              {tried === task.slug && renderTry(task.slug, close)}
            </TaskCard>
          ))}
        </div>
      )}
    </QueryView>
  );
}
