import "../lib/i18n/later/scales";

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { AnchorLink, ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Loading, QueryView } from "../components/ui/states";
import { scaleQuery } from "../features/scales/queries";
import { ScaleView } from "../features/scales/scale-view";
import { taskQuery } from "../features/tasks/queries";
import { taskText } from "../lib/task-text";

const route = getRouteApi("/tasks/$slug/scale");

/** A task's models and rounds on one scale. */
export function ScalePage() {
  const { t, i18n } = useTranslation("scales");
  const { slug } = route.useParams();
  const task = useQuery(taskQuery(slug));
  const scale = useQuery(scaleQuery(slug));
  const title = task.data === undefined ? slug : taskText(task.data, "title", i18n.language);
  return (
    <>
      <PageHeader
        title={t("page.title", { task: title })}
        subtitle={
          <AnchorLink to="/tasks/$slug" params={{ slug }} underline="always">
            {title}
          </AnchorLink>
        }
        actions={
          <ButtonLink to="/tasks/$slug/leaderboard" params={{ slug }} variant="default">
            {t("page.board")}
          </ButtonLink>
        }
      />
      <QueryView query={scale} loading={<Loading lines={8} />}>
        {(found) => <ScaleView scale={found} isOwner={task.data?.my_role === "owner"} />}
      </QueryView>
    </>
  );
}
