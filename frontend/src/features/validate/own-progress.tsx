import { Group, Progress, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { Timer } from "../../components/ui/timer";
import { formatNumber } from "../../lib/format";
import { MOST_WAITING } from "./queries";
import classes from "./validate.module.css";

/** Fewer votes say nothing of a pace. */
const FIRST_PACE = 3;

interface OwnProgressProps {
  myVotes: number;
  waiting: number;
  /** Votes since the page was opened, and the time they took. */
  session: { votes: number; seconds: number };
  startedAt: number;
}

/** How far this validator has come and how fast; nothing of anybody else. */
export function OwnProgress({ myVotes, waiting, session, startedAt }: OwnProgressProps) {
  const { t, i18n } = useTranslation("validate");
  const all = myVotes + waiting;
  const shown = waiting >= MOST_WAITING ? `${MOST_WAITING}+` : formatNumber(waiting, i18n.language);
  const pace =
    session.votes >= FIRST_PACE && session.seconds > 0
      ? (session.votes * 60) / session.seconds
      : null;
  return (
    <div>
      <Progress
        size={4}
        value={all === 0 ? 0 : (100 * myVotes) / all}
        aria-label={t("progress.bar")}
      />
      <Group gap="sm" mt={8} className={classes.figures}>
        <Text span inherit>
          {t("progress.mine", { count: myVotes })}
        </Text>
        <Text span inherit>
          {t("progress.waiting", { shown })}
        </Text>
        {pace !== null && (
          <Text span inherit>
            {t("progress.pace", { pace: formatNumber(pace, i18n.language, pace < 10 ? 1 : 0) })}
          </Text>
        )}
        <Timer startedAt={startedAt} />
      </Group>
    </div>
  );
}
