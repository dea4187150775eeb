import { Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { AnchorLink } from "../../components/ui/links";
import { MoreButton } from "../../components/ui/more-button";
import { Empty, Failed, Loading } from "../../components/ui/states";
import { saidOf } from "../../lib/i18n/told";
import type { BoardAsked } from "./board-search";
import { BoardTable } from "./board-table";
import { type Board, boardQuery } from "./queries";

interface LiveBoardProps {
  slug: string;
  asked: BoardAsked;
  onSort?: (sort: string) => void;
  /** What stands around the rows once there is a board; gets the rows to put in its place. */
  children: (board: Board, rows: ReactNode, isBusy: boolean) => ReactNode;
}

/** A board as it is now, page by page, in its four states. */
export function LiveBoard({ slug, asked, onSort, children }: LiveBoardProps) {
  const { t } = useTranslation("boards");
  const query = useInfiniteQuery(boardQuery(slug, asked));
  const board = query.data?.pages[0];
  if (board === undefined) {
    if (query.isError) {
      return (
        <Stack gap="sm">
          <Failed error={query.error} onRetry={() => void query.refetch()} />
          {Object.keys(asked).length > 0 && (
            <AnchorLink to="/tasks/$slug/leaderboard" params={{ slug }}>
              {t("weights.reset")}
            </AnchorLink>
          )}
        </Stack>
      );
    }
    return <Loading lines={8} />;
  }
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const left = board.ranked - rows.length;
  return children(
    board,
    <Stack gap="sm">
      {query.isError && <Failed error={query.error} onRetry={() => void query.refetch()} />}
      {!board.is_current && (
        <Text role="status" c="dimmed">
          {t("behind")}
        </Text>
      )}
      {board.dynascore_reason !== null && board.ranked > 0 && (
        <Text c="dimmed">
          {t("noDynascore", {
            reason: saidOf(board.dynascore_reason, board.dynascore_reason_told),
          })}
        </Text>
      )}
      {board.ranked === 0 ? (
        <NothingRanked board={board} />
      ) : (
        <BoardTable board={board} rows={rows} {...(onSort !== undefined && { onSort })} />
      )}
      <MoreButton list={query}>{t("more", { count: left })}</MoreButton>
    </Stack>,
    query.isPlaceholderData,
  );
}

/** Why nobody is ranked, and what to do about it. */
function NothingRanked({ board }: { board: Board }) {
  const { t } = useTranslation("boards");
  if (board.datasets.length === 0) {
    return <Empty title={t("empty.noData")}>{t("empty.noDataNext")}</Empty>;
  }
  if (board.incomplete_total > 0) {
    return <Empty title={t("empty.incomplete")}>{t("empty.incompleteNext")}</Empty>;
  }
  return <Empty title={t("empty.noModel")}>{t("empty.noModelNext")}</Empty>;
}
