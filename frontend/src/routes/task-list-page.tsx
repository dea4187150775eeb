import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Loading, QueryView } from "../components/ui/states";
import { sessionQuery } from "../features/session/queries";
import { taskQuery } from "../features/tasks/queries";
import { TaskList } from "../features/tasks/task-list";

const route = getRouteApi("/");

/** The box to play in is a chunk of its own: the list is painted without it. */
const WarnedSandbox = lazy(async () => {
  const { WarnedSandbox: component } = await import("../features/compose/warned-sandbox");
  return { default: component };
});

/** The first page: what there is to play. */
export function TaskListPage() {
  const { t } = useTranslation("tasks");
  const session = useQuery(sessionQuery());
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader
        title={t("list.title")}
        subtitle={t("list.subtitle")}
        actions={session.data?.user ? <AddTask isAdmin={session.data.user.is_admin} /> : undefined}
      />
      <TaskList
        filter={filter}
        onFilter={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
        isSignedIn={Boolean(session.data?.user)}
        renderTry={(slug, close) => <TryBox slug={slug} onLeave={close} />}
      />
    </>
  );
}

function AddTask({ isAdmin }: { isAdmin: boolean }) {
  const { t } = useTranslation("gallery");
  const { t: tTasks } = useTranslation("tasks");
  const { t: tProposals } = useTranslation("proposals");
  if (!isAdmin) {
    return (
      <ButtonLink to="/propose" variant="default">
        {tProposals("propose")}
      </ButtonLink>
    );
  }
  return (
    <>
      <ButtonLink to="/gallery" variant="default">
        {t("addButton")}
      </ButtonLink>
      <ButtonLink to="/new-task" variant="default">
        {tTasks("list.new")}
      </ButtonLink>
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
