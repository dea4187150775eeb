import { Text } from "@mantine/core";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";

import type { ChatReference, ChatTurn } from "../../../lib/field-values";
import type { ChatField } from "../../../lib/task-config";
import { ChatChoiceRow } from "./chat-choice";
import { ChatComposer } from "./chat-composer";
import { type ChatPort, useChatPort } from "./chat-port";
import { ChatReplies } from "./chat-replies";
import { SaidByUser } from "./chat-view";
import classes from "./chat.module.css";

interface ChatInputProps {
  field: ChatField;
  title: string;
  value: unknown;
  onChange: (value: ChatReference) => void;
  error: string | undefined;
}

/** A conversation to hold: what was said as a log, under it a box to write in. */
export function ChatInput({ field, title, value, onChange, error }: ChatInputProps) {
  const { t } = useTranslation();
  const port = useChatPort();
  const reference = port?.reference ?? null;
  const name = useEffectEvent(onChange);
  const named = JSON.stringify(value ?? null);
  useEffect(() => {
    if (reference !== null && named !== JSON.stringify(reference)) name(reference);
  }, [reference, named]);
  if (port === null) return <Text role="alert">{t("chat.notHere")}</Text>;
  return (
    <section className={classes.chat} aria-label={title}>
      <div className={classes.head}>
        <Text component="span" fw={500} size="sm">
          {title}
        </Text>
        <Text component="span" size="sm" c="dimmed" className={classes.count}>
          <TurnCount field={field} count={port.turns.length} />
        </Text>
      </div>
      <Log field={field} port={port} title={title} />
      <ChatComposer field={field} port={port} error={error} />
    </section>
  );
}

function TurnCount({ field, count }: { field: ChatField; count: number }) {
  const { t } = useTranslation();
  const { min_turns: least = 1, max_turns: most = 20 } = field;
  if (least > 1 && count < least) return t("chat.least", { count, least });
  return t("chat.turns", { count, most });
}

interface LogProps {
  field: ChatField;
  port: ChatPort;
  title: string;
}

function Log({ field, port, title }: LogProps) {
  const { t } = useTranslation();
  const { turns, pending } = port;
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = log.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, [turns.length, pending]);
  return (
    // A log that can be scrolled must be reachable by keyboard.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={log} role="log" tabIndex={0} className={classes.log} aria-label={title}>
      {turns.length === 0 && pending === null && (
        <Text c="dimmed" size="sm">
          {t("chat.empty")}
        </Text>
      )}
      <ol className={classes.turns}>
        {turns.map((turn, index) => (
          <li key={index} className={classes.turn}>
            <LiveTurn field={field} port={port} turn={turn} number={index + 1} />
          </li>
        ))}
        {pending !== null && (
          <li className={classes.turn}>
            <SaidByUser text={pending} by={t("chat.you")} />
            <Text size="sm" c="dimmed">
              {t("chat.writing", { count: field.candidates ?? 1 })}
            </Text>
          </li>
        )}
      </ol>
    </div>
  );
}

interface LiveTurnProps {
  field: ChatField;
  port: ChatPort;
  turn: ChatTurn;
  number: number;
}

function LiveTurn({ field, port, turn, number }: LiveTurnProps) {
  const { t } = useTranslation();
  const ratings = turn.candidates.map(({ rating }) => rating);
  const choice = turn.choice as Parameters<ChatPort["choose"]>[1]["choice"];
  const isLast = number === port.turns.length;
  const rate = (place: number, rating: number) =>
    port.choose(number, { choice, ratings: ratings.with(place, rating) });
  return (
    <>
      <SaidByUser text={turn.text} by={t("chat.you")} />
      <ChatReplies turn={turn} onRate={field.rating === true ? rate : undefined} />
      {isLast && turn.candidates.length > 1 && (
        <ChatChoiceRow
          turn={turn}
          number={number}
          withKeys={!port.isBusy}
          onChoose={(chosen) => port.choose(number, { choice: chosen, ratings })}
        />
      )}
    </>
  );
}
