import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { formatNumber } from "../../lib/format";
import { formatScore, type ScoreFigures } from "../../lib/scores";
import classes from "./evaluations.module.css";

interface ScoreTextProps {
  score: (ScoreFigures & { items?: number }) | undefined;
}

/** "71.4 ± 1.2, n 3,000"; "–" without data. */
export function ScoreText({ score }: ScoreTextProps) {
  const { t, i18n } = useTranslation("evaluations");
  if (score?.value === undefined || score.value === null) return "–";
  return (
    <>
      {formatScore(score, i18n.language, t("to"))}
      {score.items !== undefined && (
        <Text span c="dimmed" size="sm">
          {" "}
          {t("of", { items: formatNumber(score.items, i18n.language) })}
        </Text>
      )}
    </>
  );
}

interface WhiskerProps {
  score: ScoreFigures;
  /** The ends of what is drawn: 0 and 100, or wider where figures go below 0. */
  from?: number;
  to?: number;
}

/** A figure as a dot on a line with its interval as a bar; the number stands beside it. */
export function Whisker({ score: { value, low, high }, from = 0, to = 100 }: WhiskerProps) {
  if (value === null) return null;
  const place = (points: number) =>
    Math.min(100, Math.max(0, (100 * (points - from)) / (to - from)));
  const [start, end] = [place(low ?? value), place(high ?? value)];
  return (
    <span className={classes.whisker} aria-hidden>
      {from < 0 && <span className={classes.zero} style={{ left: `${place(0)}%` }} />}
      <span className={classes.reach} style={{ left: `${start}%`, width: `${end - start}%` }} />
      <span className={classes.dot} style={{ left: `${place(value)}%` }} />
    </span>
  );
}
