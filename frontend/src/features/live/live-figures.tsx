import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { formatDate, formatDateTime, formatDuration, formatNumber } from "../../lib/format";
import classes from "./live.module.css";
import type { Numbers } from "./queries";

const NO_DATA = "–";
const POINTS = 100;

/** What changes by the minute beside the error rates: each figure with what it is made of. */
export function LiveFigures({ numbers }: { numbers: Numbers }) {
  return (
    <dl className={classes.figures}>
      <Collection numbers={numbers} />
      <Backlog numbers={numbers} />
      <Effort numbers={numbers} />
      <Gap numbers={numbers} />
      <Ends numbers={numbers} />
    </dl>
  );
}

interface FigureProps {
  name: string;
  note?: string | undefined;
  children: ReactNode;
}

function Figure({ name, note, children }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={classes.number}>{children}</span>
        {note !== undefined && <p>{note}</p>}
      </dd>
    </div>
  );
}

function Collection({ numbers: { collection } }: { numbers: Numbers }) {
  const { t, i18n } = useTranslation("live");
  if (collection === null) {
    return (
      <Figure name={t("collection.title")} note={t("collection.notOpen")}>
        {NO_DATA}
      </Figure>
    );
  }
  const perHour = (value: number | null) => formatNumber(value, i18n.language, 1);
  const note = t("collection.day", {
    rate: perHour(collection.last_day.per_hour),
    attempts: formatNumber(collection.last_day.count, i18n.language),
    people: formatNumber(collection.annotators, i18n.language),
  });
  return (
    <Figure name={t("collection.title")} note={note}>
      {t("collection.hour", { rate: perHour(collection.last_hour.per_hour) })}
    </Figure>
  );
}

function Backlog({ numbers: { backlog } }: { numbers: Numbers }) {
  const { t, i18n } = useTranslation("live");
  const number = (value: number) => formatNumber(value, i18n.language);
  const parts = [
    t("backlog.votes", { votes: number(backlog.votes_wanted) }),
    t("backlog.lent", { lent: number(backlog.lent), disputed: number(backlog.disputed) }),
    t("backlog.pace", { votes: number(backlog.last_day.count) }),
    backlog.hours_left === null || backlog.waiting === 0
      ? ""
      : t("backlog.left", { hours: formatNumber(backlog.hours_left, i18n.language, 1) }),
  ];
  return (
    <Figure name={t("backlog.title")} note={parts.filter((part) => part !== "").join(" ")}>
      {number(backlog.waiting)}
    </Figure>
  );
}

function Effort({ numbers: { effort } }: { numbers: Numbers }) {
  const { t, i18n } = useTranslation("live");
  const seconds = effort.seconds_per_validated_fooling;
  const number = (value: number) => formatNumber(value, i18n.language);
  const note =
    seconds === null
      ? t(effort.validated_fooling === 0 ? "effort.none" : "effort.untimed", {
          attempts: number(effort.attempts),
          timed: number(effort.timed_attempts),
        })
      : t("effort.of", {
          examples: number(effort.validated_fooling),
          attempts: number(effort.attempts),
          timed: number(effort.timed_attempts),
          votes: number(effort.votes),
        });
  return (
    <Figure name={t("effort.title")} note={note}>
      {seconds === null ? NO_DATA : formatDuration(seconds)}
    </Figure>
  );
}

function Gap({ numbers: { human_gap: gap } }: { numbers: Numbers }) {
  const { t, i18n } = useTranslation("live");
  const points = (value: number | null) =>
    value === null ? NO_DATA : formatNumber(value * POINTS, i18n.language, 1);
  if (gap.gap === null) {
    return (
      <Figure name={t("gap.title")} note={t(`gap.${gap.reason ?? "no_answers"}`)}>
        {NO_DATA}
      </Figure>
    );
  }
  const note = t("gap.of", {
    people: points(gap.people.value),
    answers: formatNumber(gap.people.whole, i18n.language),
    targets: points(gap.targets.value),
    examples: formatNumber(gap.targets.whole, i18n.language),
  });
  if (gap.reason !== null) {
    return (
      <Figure name={t("gap.title")} note={`${note} ${t(`gap.${gap.reason}`)}`}>
        {t("gap.alone", { gap: points(gap.gap) })}
      </Figure>
    );
  }
  return (
    <Figure name={t("gap.title")} note={note}>
      {t("gap.points", {
        gap: points(gap.gap),
        low: points(gap.low),
        high: points(gap.high),
      })}
    </Figure>
  );
}

function Ends({ numbers: { ends } }: { numbers: Numbers }) {
  const { t, i18n } = useTranslation("live");
  if (ends.length === 0) {
    return (
      <Figure name={t("ends.title")} note={t("ends.none")}>
        {NO_DATA}
      </Figure>
    );
  }
  return ends.map((end) => {
    const [first, last] = [end.earliest_at, end.latest_at].map(
      (moment) => moment && formatDate(moment, i18n.language),
    );
    // Where all falls on one day, the day alone would say nothing.
    const write = first != null && first === last ? formatDateTime : formatDate;
    const date = (moment: string) => write(moment, i18n.language);
    const used = t(`ends.${end.kind}`, {
      used: formatNumber(end.used, i18n.language),
      limit: formatNumber(end.limit, i18n.language),
    });
    const range =
      end.earliest_at === null || end.kind === "days"
        ? ""
        : end.latest_at === null
          ? t("ends.from", { earliest: date(end.earliest_at) })
          : t("ends.range", { earliest: date(end.earliest_at), latest: date(end.latest_at) });
    const reason = end.reason === null ? "" : t(`ends.${end.reason}`);
    return (
      <Figure
        key={end.kind}
        name={t("ends.title")}
        note={[used, range, reason].filter((part) => part !== "").join(" ")}
      >
        {end.expected_at === null ? NO_DATA : date(end.expected_at)}
      </Figure>
    );
  });
}
