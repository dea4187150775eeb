import "../lib/i18n/later/boards";

import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { AnchorLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Loading, QueryView } from "../components/ui/states";
import { BoardDetails } from "../features/boards/board-details";
import { BoardTable } from "../features/boards/board-table";
import { IncompleteList } from "../features/boards/incomplete-list";
import { savedBoardQuery } from "../features/boards/queries";
import type { Schemas } from "../lib/api-client";
import { formatDateTime } from "../lib/format";

const route = getRouteApi("/tasks/$slug/boards/$boardId");
const FORMS = ["csv", "tex", "json"] as const;

/** A fork or a snapshot of a board. */
export function SavedBoardPage() {
  const { t } = useTranslation("boards");
  const { slug, boardId } = route.useParams();
  const saved = useQuery(savedBoardQuery(boardId));
  return (
    <>
      <PageHeader
        title={saved.data?.name ?? t("saved.untitled")}
        subtitle={
          <AnchorLink to="/tasks/$slug/leaderboard" params={{ slug }}>
            {t("saved.live")}
          </AnchorLink>
        }
      />
      <QueryView query={saved} loading={<Loading lines={8} />}>
        {(found) => <Saved found={found} />}
      </QueryView>
    </>
  );
}

function Saved({ found }: { found: Schemas["SavedBoardRead"] }) {
  const { t, i18n } = useTranslation("boards");
  const isSnapshot = found.kind === "snapshot";
  return (
    <Stack gap="md">
      <div>
        <Text>
          {t(isSnapshot ? "saved.isSnapshot" : "saved.isFork", {
            date: formatDateTime(found.created_at, i18n.language),
            author: found.created_by ?? t("saved.nobody"),
          })}
        </Text>
        {found.description !== "" && <Text>{found.description}</Text>}
        {found.digest !== null && (
          <Text size="sm" c="dimmed">
            {t("saved.digest", { digest: found.digest })}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {FORMS.map((form) => (
          <Button
            key={form}
            component="a"
            href={`/api/v1/boards/${found.id}/file.${form}`}
            download
            variant="default"
          >
            {t(`files.${form}`)}
          </Button>
        ))}
      </Group>
      <BoardTable board={found.board} rows={found.board.rows} />
      <BoardDetails board={found.board} />
      <IncompleteList board={found.board} />
    </Stack>
  );
}
