import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../components/ui/page-header";
import { Loading, QueryView } from "../components/ui/states";
import { sessionQuery } from "../features/session/queries";
import { taskQuery } from "../features/tasks/queries";
import { TaskList } from "../features/tasks/task-list";

/** The box to play in is a chunk of its own: the list is painted without it. */
const WarnedSandbox = lazy(async () => {
  const { WarnedSandbox: component } = await import("../features/compose/warned-sandbox");
  return { default: component };
});

/** The first page: what there is to play. */
export function TaskListPage() {
  const { t } = useTranslation("tasks");
  const session = useQuery(sessionQuery());
  return (
    <>
      <PageHeader title={t("list.title")} subtitle={t("list.subtitle")} />
      <TaskList
        isSignedIn={Boolean(session.data?.user)}
        renderTry={(slug, close) => <TryBox slug={slug} onLeave={close} />}
      />
    </>
  );
}

function TryBox({ slug, onLeave }: { slug: string; onLeave: () => void }) {
  const task = useQuery(taskQuery(slug));
  return (
    <QueryView query={task} loading={<Loading lines={4} />}>
      {(found) => (
        <Suspense fallback={<Loading lines={4} />}>
          <WarnedSandbox task={found} onLeave={onLeave} />
        </Suspense>
      )}
    </QueryView>
  );
}
