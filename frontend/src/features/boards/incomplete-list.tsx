import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { Section } from "../../components/ui/section";
import { saidOf } from "../../lib/i18n/told";
import classes from "./boards.module.css";
import { ModelName } from "./model-name";
import type { Board } from "./queries";

/** Models that are not ranked, each with what it lacks; nothing is dropped in silence. */
export function IncompleteList({ board }: { board: Board }) {
  const { t } = useTranslation("boards");
  if (board.incomplete_total === 0) return null;
  const hidden = board.incomplete_total - board.incomplete.length;
  return (
    <Section title={t("incomplete.title", { count: board.incomplete_total })}>
      <ul className={classes.list}>
        {board.incomplete.map(({ model, lacks }) => (
          <li key={model.id}>
            <ModelName slug={board.task_slug} model={model} />
            <Text size="sm" c="dimmed">
              {[...new Set(lacks.map((lack) => saidOf(lack.reason, lack.reason_told)))].join(" ")}
            </Text>
          </li>
        ))}
      </ul>
      {hidden > 0 && <Text c="dimmed">{t("incomplete.more", { count: hidden })}</Text>}
    </Section>
  );
}
