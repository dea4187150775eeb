import "../lib/i18n/later/boards";

import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { askedOf, readBoardSearch } from "../features/boards/board-search";
import classes from "../features/boards/boards.module.css";
import { LiveBoard } from "../features/boards/live-board";
import { taskQuery } from "../features/tasks/queries";
import { formatDateTime } from "../lib/format";
import { taskText } from "../lib/task-text";

const route = getRouteApi("/embed/tasks/$slug/leaderboard");

/** The board alone, to stand in another page's frame. */
export function EmbeddedBoardPage() {
  const { t, i18n } = useTranslation("boards");
  const { slug } = route.useParams();
  const task = useQuery(taskQuery(slug));
  const title = task.data === undefined ? slug : taskText(task.data, "title", i18n.language);
  return (
    <div className={classes.embed}>
      <Title order={1} size="h3" mb="sm">
        {t("page.title", { task: title })}
      </Title>
      <LiveBoard slug={slug} asked={askedOf(readBoardSearch({ ...route.useSearch() }))}>
        {(board, rows) => (
          <>
            {rows}
            {board.as_of !== null && (
              <Text size="sm" c="dimmed" mt="xs">
                {t("details.asOf", { date: formatDateTime(board.as_of, i18n.language) })}
              </Text>
            )}
          </>
        )}
      </LiveBoard>
    </div>
  );
}
