import { Anchor, Button, Group, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";

import { RateText } from "../../components/ui/rate-text";
import type { Schemas } from "../../lib/api-client";
import { formatDateTime } from "../../lib/format";
import { useOpensLater } from "../../lib/opens-later";
import { BoardTop } from "./board-top";
import { targetNames } from "./round-words";
import classes from "./task-list.module.css";

interface TaskCardProps {
  task: Schemas["TaskSummary"];
  current: Schemas["CurrentRoundRead"] | null;
  /** Whether the rounds are there at all: a task's list does not wait for them. */
  rounds: { isPending: boolean; isError: boolean };
  isSignedIn: boolean;
  isTried: boolean;
  onToggleTry: () => void;
  /** The box to try the task in, once it is open. */
  children: ReactNode;
}

/** One task: what it is, where it stands, and the two things to do. */
export function TaskCard(props: TaskCardProps) {
  const { task, current, rounds, isSignedIn, isTried, onToggleTry, children } = props;
  const { t } = useTranslation("tasks");
  const boxId = useId();
  const opens = useOpensLater(current?.round);
  const isOpen = current?.round.status === "open" && opens === null;
  const counts = isOpen && isSignedIn;
  return (
    <article className={classes.card}>
      <div className={classes.what}>
        <Title order={2} size="h4">
          <Anchor component={Link} to={`/tasks/${task.slug}`} inherit>
            {task.title}
          </Anchor>
        </Title>
        <Text>{task.description}</Text>
        {task.status !== "active" && (
          <Text size="sm" c="dimmed">
            {t(`status.${task.status}`)}
          </Text>
        )}
      </div>
      <div className={classes.today}>
        {current === null ? (
          <Text c="dimmed">{noRound(rounds, t)}</Text>
        ) : (
          <Today current={current} opens={opens} />
        )}
      </div>
      <Group gap="xs" className={classes.deeds}>
        {isOpen && (
          <Button
            component={Link}
            to={`/tasks/${task.slug}/create`}
            variant={counts ? "light" : "default"}
          >
            {t("card.write")}
          </Button>
        )}
        {!counts && (
          <Button
            variant={isTried ? "default" : "light"}
            aria-expanded={isTried}
            aria-controls={boxId}
            onClick={onToggleTry}
          >
            {isTried ? t("card.close") : t("card.try")}
          </Button>
        )}
      </Group>
      <div id={boxId} className={classes.box} hidden={!isTried}>
        {children}
      </div>
    </article>
  );
}

type Words = ReturnType<typeof useTranslation<"tasks">>["t"];

function noRound({ isPending, isError }: TaskCardProps["rounds"], t: Words): string {
  if (isPending) return t("card.loading");
  return isError ? t("card.roundsFailed") : t("card.noRound");
}

interface TodayProps {
  current: Schemas["CurrentRoundRead"];
  /** When the round will take examples, where that is to come. */
  opens: string | null;
}

function Today({ current, opens }: TodayProps) {
  const { t, i18n } = useTranslation("tasks");
  const { round, error_rate: rate } = current;
  return (
    <>
      <Text size="sm" c="dimmed">
        {t("card.round", {
          number: round.number,
          status: t(`round.${round.status}`),
          target: targetNames(round.targets, t),
        })}
      </Text>
      {opens !== null && (
        <Text>{t("card.opens", { when: formatDateTime(opens, i18n.language) })}</Text>
      )}
      {rate.collected === 0 ? <Text>{t("card.nothingYet")}</Text> : <Figures current={current} />}
      {rate.pending > 0 && (
        <Text size="sm" c="dimmed">
          {t("rates.pending", { count: rate.pending })}
        </Text>
      )}
    </>
  );
}

/** How hard the target is, and who is ahead. */
function Figures({ current }: { current: Schemas["CurrentRoundRead"] }) {
  const { t } = useTranslation("tasks");
  const { round, error_rate: rate } = current;
  return (
    <dl className={classes.rates}>
      <dt>{t("rates.mer")}</dt>
      <dd>
        <RateText
          rate={rate.model_error_rate}
          name={t("rates.mer")}
          howCounted={t("rates.merCounted")}
        />
      </dd>
      <dt>{t("rates.vmer")}</dt>
      <dd>
        <RateText
          rate={rate.validated_model_error_rate}
          name={t("rates.vmer")}
          howCounted={t("rates.vmerCounted", { count: rate.pending })}
        />
      </dd>
      {rate.verified_fooled > 0 && (
        <>
          <dt>{t("card.top")}</dt>
          <dd>
            <BoardTop round={round} />
          </dd>
        </>
      )}
    </dl>
  );
}
