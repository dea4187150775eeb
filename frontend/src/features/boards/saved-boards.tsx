import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { AnchorLink } from "../../components/ui/links";
import { Section } from "../../components/ui/section";
import { QueryView } from "../../components/ui/states";
import { formatDate } from "../../lib/format";
import classes from "./boards.module.css";
import { savedBoardsQuery, useDeleteBoard } from "./queries";

/** Forks and snapshots of a task's board. */
export function SavedBoards({ slug }: { slug: string }) {
  const { t, i18n } = useTranslation("boards");
  const saved = useQuery(savedBoardsQuery(slug));
  const remove = useDeleteBoard(slug);
  return (
    <Section title={t("saved.title")}>
      <QueryView
        query={saved}
        isEmpty={(list) => list.length === 0}
        empty={<Text c="dimmed">{t("saved.none")}</Text>}
      >
        {(list) => (
          <ul className={classes.saved}>
            {list.map((one) => (
              <li key={one.id}>
                <AnchorLink to="/tasks/$slug/boards/$boardId" params={{ slug, boardId: one.id }}>
                  {one.name}
                </AnchorLink>
                <Text size="sm" c="dimmed">
                  {t(one.kind === "fork" ? "saved.fork" : "saved.snapshot", {
                    date: formatDate(one.created_at, i18n.language),
                    author: one.created_by ?? t("saved.nobody"),
                  })}
                </Text>
                {one.can_delete && (
                  <ConfirmButton
                    size="compact-sm"
                    consequence={t("saved.consequence", { name: one.name })}
                    onConfirm={() => remove.mutateAsync(one.id)}
                  >
                    {t("saved.delete")}
                  </ConfirmButton>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Section>
  );
}
