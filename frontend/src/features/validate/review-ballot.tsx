import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { askedFields } from "../../components/ui/fields/metadata-fields";
import { KeyButton } from "../../components/ui/key-button";
import type { Schemas } from "../../lib/api-client";
import type { DraftPlace } from "../../lib/draft-storage";
import type { DrawnConfig, FieldValues } from "../../lib/task-config";
import { DetailsForm } from "./details-form";
import classes from "./validate.module.css";

export type Vote = Schemas["Vote"];

const CHOICES = [
  { vote: "correct", keys: "1", mark: "✓", colour: "var(--db-good)" },
  { vote: "incorrect", keys: "2", mark: "✗", colour: "var(--db-bad)" },
  { vote: "flagged", keys: "3", mark: "⚑", colour: "var(--db-warning)" },
] as const;

interface ReviewBallotProps {
  config: DrawnConfig;
  context: FieldValues;
  place: DraftPlace;
  onVote: (vote: Vote, metadata: FieldValues) => void;
}

/** Correct, incorrect or flag; asks further only where the task does. */
export function ReviewBallot({ config, context, place, onVote }: ReviewBallotProps) {
  const { t } = useTranslation("validate");
  const sources = [...config.context, ...config.inputs];
  const [chosen, setChosen] = useState<Vote | null>(null);
  const choose = (vote: Vote) => {
    if (askedFields(config.validateMetadata, { vote }).length === 0) onVote(vote, {});
    else setChosen(vote);
  };
  return (
    <Stack gap="sm">
      {chosen !== null && (
        <DetailsForm
          key={chosen}
          fields={askedFields(config.validateMetadata, { vote: chosen })}
          context={context}
          sources={sources}
          place={place}
          save={t("save")}
          onSave={(metadata) => onVote(chosen, metadata)}
          onBack={() => setChosen(null)}
        />
      )}
      <div
        className={classes.answers}
        role="group"
        aria-label={t(config.asksUser ? "question.claim" : "question.review")}
      >
        {CHOICES.map(({ vote, keys, mark, colour }) => {
          const look = {
            variant: "default",
            leftSection: (
              <Text span c={colour} aria-hidden>
                {mark}
              </Text>
            ),
          };
          // The numbers are the asked field's labels while it is asked for.
          return chosen === null ? (
            <KeyButton key={vote} {...look} keys={keys} onKey={() => choose(vote)}>
              {t(`vote.${vote}`)}
            </KeyButton>
          ) : (
            <Button
              key={vote}
              {...look}
              className={chosen === vote ? classes.chosen : ""}
              aria-pressed={chosen === vote}
              onClick={() => choose(vote)}
            >
              {t(`vote.${vote}`)}
            </Button>
          );
        })}
      </div>
    </Stack>
  );
}
