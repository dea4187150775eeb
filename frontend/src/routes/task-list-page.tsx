import { useTranslation } from "react-i18next";

import { PageHeader } from "../components/ui/page-header";
import { TaskList } from "../features/tasks/task-list";

/** The first page: what there is to play. */
export function TaskListPage() {
  const { t } = useTranslation("tasks");
  return (
    <>
      <PageHeader title={t("list.title")} />
      <TaskList />
    </>
  );
}
