import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { type DrawnConfig, fieldTitle, type FieldValues } from "../../lib/task-config";
import { valueInWords } from "../../lib/value-words";
import classes from "./examples.module.css";
import type { Outcome } from "./queries";

const MARKS = { correct: "✓", incorrect: "✗", flagged: "⚑" } as const;

interface VotesProps {
  votes: Outcome["votes"];
  config: DrawnConfig;
}

/** Every vote on an example with who cast it and what they said; a withdrawn one is struck. */
export function Votes({ votes, config }: VotesProps) {
  const { t, i18n } = useTranslation("examples");
  const fields = [...config.answers, ...config.validateMetadata];
  const said = (values: FieldValues | null) =>
    Object.entries(values ?? {}).flatMap(([name, given]) => {
      const field = fields.find((one) => one.name === name);
      const value = valueInWords(given, field);
      if (value === null) return [];
      return [t("row.said", { field: fieldTitle(field ?? { name }, i18n.language), value })];
    });
  if (votes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t("row.noVotes")}
      </Text>
    );
  }
  return (
    <ul className={classes.votes} aria-label={t("row.votes")}>
      {votes.map((one) => (
        <li key={one.id} className={one.withdrawn_at === null ? "" : classes.withdrawn}>
          <span aria-hidden>{MARKS[one.vote]} </span>
          {[
            t("row.vote", { validator: one.validator, vote: t(`cast.${one.vote}`) }),
            one.is_expert ? t("row.expert") : null,
            one.withdrawn_at === null ? null : t("row.withdrawn"),
            ...said(one.answer),
            ...said(one.metadata),
          ]
            .filter((part) => part !== null)
            .join(" · ")}
        </li>
      ))}
    </ul>
  );
}
