import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

import { Empty, Loading, QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { FilterBar } from "./filter-bar";
import { currentRoundsQuery, taskListQuery } from "./queries";
import { TaskCard } from "./task-card";
import { filterTasks, type TaskFilter } from "./task-filter";
import classes from "./task-list.module.css";

type Task = Schemas["TaskSummary"];

/** Fewer tasks than these are seen at a glance. */
const FEW_TASKS = 8;
/** Cards that are drawn at once. */
const PAGE = 50;

interface TaskListProps {
  filter: TaskFilter;
  onFilter: (filter: TaskFilter) => void;
  /** Whose tries count once a round is open: they write, and cannot rehearse. */
  isSignedIn: boolean;
  /** The box in which a task's model can be tried; `close` puts it away. */
  renderTry: (slug: string, close: () => void) => ReactNode;
}

/** Every task that the reader may see, each with its round and how hard its target is today. */
export function TaskList({ filter, onFilter, isSignedIn, renderTry }: TaskListProps) {
  const { t } = useTranslation("tasks");
  const tasks = useQuery(taskListQuery());
  const rounds = useQuery(currentRoundsQuery());
  const current = new Map(rounds.data?.map((one) => [one.task_slug, one]));
  return (
    <QueryView
      query={tasks}
      loading={<Loading lines={6} />}
      isEmpty={(list) => list.length === 0}
      empty={<Empty title={t("list.empty")}>{t("list.emptyNext")}</Empty>}
    >
      {(list) => {
        const found = filterTasks(list, filter);
        return (
          <>
            {list.length > FEW_TASKS && (
              <FilterBar tasks={list} filter={filter} onFilter={onFilter} />
            )}
            <Text className={classes.count} role="status" size="sm" c="dimmed">
              {found.length < list.length &&
                t("filter.found", { count: found.length, all: list.length })}
            </Text>
            <Cards
              key={JSON.stringify(filter)}
              tasks={found}
              renderCard={(task, isTried, onToggle) => (
                <TaskCard
                  key={task.slug}
                  task={task}
                  current={current.get(task.slug) ?? null}
                  rounds={rounds}
                  isSignedIn={isSignedIn}
                  isTried={isTried}
                  onToggleTry={onToggle}
                >
                  {isTried && renderTry(task.slug, onToggle)}
                </TaskCard>
              )}
            />
          </>
        );
      }}
    </QueryView>
  );
}

interface CardsProps {
  tasks: readonly Task[];
  renderCard: (task: Task, isTried: boolean, onToggle: () => void) => ReactNode;
}

/** The first cards, and more when asked; one of them may have its box open. */
function Cards({ tasks, renderCard }: CardsProps) {
  const { t } = useTranslation("tasks");
  const [shown, setShown] = useState(PAGE);
  const [tried, setTried] = useState<string | null>(null);
  return (
    <>
      <div className={classes.list}>
        {tasks
          .slice(0, shown)
          .map((task) =>
            renderCard(task, tried === task.slug, () =>
              setTried(tried === task.slug ? null : task.slug),
            ),
          )}
      </div>
      {tasks.length > shown && (
        <Button variant="default" mt="md" onClick={() => setShown(shown + PAGE)}>
          {t("list.more", { count: Math.min(PAGE, tasks.length - shown) })}
        </Button>
      )}
    </>
  );
}
