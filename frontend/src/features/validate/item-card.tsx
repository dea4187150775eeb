import { Text, Title } from "@mantine/core";
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";

import { FieldValues, textMarks } from "../../components/ui/fields/field-values";
import type { DraftPlace } from "../../lib/draft-storage";
import { type DrawnConfig, type DrawnField, referenceOf } from "../../lib/task-config";
import { useTimeSpent } from "../../lib/time-spent";
import { AuthorsClaim } from "./authors-claim";
import { BlindBallot } from "./blind-ballot";
import type { Ballot, Item } from "./queries";
import { ReviewBallot } from "./review-ballot";
import classes from "./validate.module.css";

interface ItemCardProps {
  item: Item;
  config: DrawnConfig;
  /** Where what is typed is kept until it is saved. */
  desk: Omit<DraftPlace, "context">;
  /** Whether the item follows another, so that it takes the focus. */
  takesFocus: boolean;
  onCast: (ballot: Ballot) => void;
}

/** One example with the question about it. One card is one item: key it by the example. */
export function ItemCard({ item, config, desk, takesFocus, onCast }: ItemCardProps) {
  const { t } = useTranslation("validate");
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const { read } = useTimeSpent();
  useEffect(() => {
    if (!takesFocus) return;
    card.current?.focus({ preventScroll: true });
    card.current?.scrollIntoView({ block: "nearest" });
  }, [takesFocus]);
  const isBlind = item.mode === "blind";
  const answer = item.answer ?? {};
  const marks = textMarks([...config.inputs, ...config.answers], { ...item.inputs, ...answer });
  // A text in which the validator answers is drawn once, to select in.
  const selectedIn = new Set(isBlind ? config.answers.map(referenceOf) : []);
  const shown = (fields: readonly DrawnField[]) =>
    fields.filter(({ name }) => !selectedIn.has(name));
  const cast = (ballot: Ballot) => onCast({ ...ballot, time_spent_seconds: read() });
  const place = { ...desk, context: `validate ${item.example_id}` };
  const sources = { ...item.context, ...item.inputs };
  return (
    <section ref={card} className={classes.card} tabIndex={-1} aria-labelledby={id}>
      <FieldValues fields={shown(config.context)} values={item.context} marks={marks} />
      <div className={classes.claim}>
        <FieldValues fields={shown(config.inputs)} values={item.inputs} marks={marks} size="lg" />
        {!isBlind && config.answers.length > 0 && (
          <div className={classes.answer}>
            <Text size="sm" c="dimmed">
              {t("authorSays")}
            </Text>
            <FieldValues fields={config.answers} values={answer} />
          </div>
        )}
        {!isBlind && config.asksUser && <AuthorsClaim item={item} config={config} />}
      </div>
      <div className={classes.bar} data-answers>
        <Title order={2} size="h5" mb={8} id={id}>
          {isBlind
            ? t("question.blind")
            : t(config.asksUser ? "question.claim" : "question.review")}
        </Title>
        {isBlind ? (
          <BlindBallot
            config={config}
            context={sources}
            place={place}
            onAnswer={(given, metadata) => cast({ answer: given, metadata: metadata })}
            onFlag={(metadata) => cast({ vote: "flagged", metadata: metadata })}
          />
        ) : (
          <ReviewBallot
            config={config}
            context={sources}
            place={place}
            onVote={(vote, metadata) => cast({ vote, metadata: metadata })}
          />
        )}
      </div>
    </section>
  );
}
