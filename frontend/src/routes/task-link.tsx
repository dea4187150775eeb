import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { AnchorLink } from "../components/ui/links";
import { taskQuery } from "../features/tasks/queries";
import { taskText } from "../lib/task-text";

/** The task that a page belongs to, once it is known. */
export function TaskLink({ slug }: { slug: string }) {
  const { i18n } = useTranslation();
  const { data: task } = useQuery(taskQuery(slug));
  if (task === undefined) return null;
  return (
    <AnchorLink to="/tasks/$slug" params={{ slug }} underline="always">
      {taskText(task, "title", i18n.language)}
    </AnchorLink>
  );
}
