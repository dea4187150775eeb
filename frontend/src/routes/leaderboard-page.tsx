import "@mantine/core/styles/Tabs.css";
import "../lib/i18n/later/boards";

import { Button, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactNode, useCallback } from "react";
import { useTranslation } from "react-i18next";

import { AnchorLink, ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { BoardDetails } from "../features/boards/board-details";
import {
  askedOf,
  type BoardSearch,
  readBoardSearch,
  VIEWS,
  withoutEmpty,
} from "../features/boards/board-search";
import { BoardTools } from "../features/boards/board-tools";
import classes from "../features/boards/boards.module.css";
import { HistoryView } from "../features/boards/history-view";
import { IncompleteList } from "../features/boards/incomplete-list";
import { LiveBoard } from "../features/boards/live-board";
import { ParetoView } from "../features/boards/pareto-view";
import type { Board } from "../features/boards/queries";
import { SavedBoards } from "../features/boards/saved-boards";
import { TagView } from "../features/boards/tag-view";
import { WeightsPanel } from "../features/boards/weights-panel";
import { sessionQuery } from "../features/session/queries";
import { taskQuery } from "../features/tasks/queries";
import { taskText } from "../lib/task-text";

const route = getRouteApi("/tasks/$slug/leaderboard");

type Change = Partial<Record<keyof BoardSearch, string | number | undefined>>;

/** A task's models by the reader's own weights. */
export function LeaderboardPage() {
  const { t, i18n } = useTranslation("boards");
  const { slug } = route.useParams();
  // What is not understood stands in the address still, and the router hands it on.
  const search = readBoardSearch({ ...route.useSearch() });
  const navigate = route.useNavigate();
  const task = useQuery(taskQuery(slug));
  const session = useQuery(sessionQuery());
  const isSignedIn = (session.data?.user ?? null) !== null;
  const title = task.data === undefined ? slug : taskText(task.data, "title", i18n.language);
  const change = useCallback(
    (to: Change) =>
      void navigate({
        search: (before) => withoutEmpty({ ...before, ...to } as BoardSearch),
        resetScroll: false,
      }),
    [navigate],
  );
  return (
    <>
      <PageHeader
        title={t("page.title", { task: title })}
        subtitle={
          <AnchorLink to="/tasks/$slug" params={{ slug }}>
            {t("page.back")}
          </AnchorLink>
        }
        actions={
          <>
            <ButtonLink to="/tasks/$slug/scale" params={{ slug }} variant="default">
              {t("page.scale")}
            </ButtonLink>
            <Button component={Link} to={`/tasks/${slug}/submit`} variant="default">
              {t("page.submit")}
            </Button>
          </>
        }
      />
      <LiveBoard slug={slug} asked={askedOf(search)} onSort={(sort) => change({ sort })}>
        {(board, rows, isBusy) =>
          board.is_preference && board.ranked === 0 ? (
            <Preference slug={slug} />
          ) : (
            <div className={classes.frame}>
              <div className={classes.main} data-busy={isBusy}>
                <BoardTools board={board} asked={askedOf(search)} isSignedIn={isSignedIn} />
                <Views board={board} rows={rows} search={search} onChange={change} />
                <BoardDetails board={board} />
                <IncompleteList board={board} />
                <SavedBoards slug={slug} />
              </div>
              <WeightsPanel board={board} search={search} onChange={change} />
            </div>
          )
        }
      </LiveBoard>
    </>
  );
}

function Preference({ slug }: { slug: string }) {
  const { t } = useTranslation("boards");
  return (
    <Text>
      {t("preference")}{" "}
      <AnchorLink to="/tasks/$slug" params={{ slug }} hash="preferences">
        {t("preferenceLink")}
      </AnchorLink>
    </Text>
  );
}

interface ViewsProps {
  board: Board;
  rows: ReactNode;
  search: BoardSearch;
  onChange: (change: Change) => void;
}

function Views({ board, rows, search, onChange }: ViewsProps) {
  const { t } = useTranslation("boards");
  return (
    <Tabs
      value={search.view ?? "table"}
      keepMounted={false}
      onChange={(view) => onChange({ view: view === "table" ? undefined : (view ?? undefined) })}
    >
      <Tabs.List mb="md" aria-label={t("views.label")}>
        {VIEWS.map((view) => (
          <Tabs.Tab key={view} value={view}>
            {t(`views.${view}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="table">{rows}</Tabs.Panel>
      <Tabs.Panel value="pareto">
        <ParetoView
          board={board}
          asked={askedOf(search)}
          against={search.against}
          onChoose={(against) => onChange({ against })}
        />
      </Tabs.Panel>
      <Tabs.Panel value="rounds">
        <HistoryView
          slug={board.task_slug}
          drawn={search.drawn}
          onDraw={(drawn) => onChange({ drawn })}
        />
      </Tabs.Panel>
      <Tabs.Panel value="tags">
        <TagView
          board={board}
          dataset={search.dataset}
          onChoose={(dataset) => onChange({ dataset })}
        />
      </Tabs.Panel>
    </Tabs>
  );
}
