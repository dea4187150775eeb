import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { RateText } from "../../components/ui/rate-text";
import type { Schemas } from "../../lib/api-client";
import { formatDate, formatDateTime, formatPercent } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import { useOpensLater } from "../../lib/opens-later";
import { targetNames } from "./round-words";
import classes from "./task-sections.module.css";

interface RoundSectionProps {
  current: Schemas["CurrentRoundRead"];
  progress: ReactNode;
}

/** The current round: how hard its target is, what still waits, and by which rules it goes. */
export function RoundSection({ current, progress }: RoundSectionProps) {
  return (
    <div className={classes.round}>
      <div>
        <Rates rate={current.error_rate} />
        {progress}
      </div>
      <Facts round={current.round} />
    </div>
  );
}

function Rates({ rate }: { rate: Schemas["ErrorRateRead"] }) {
  const { t, i18n } = useTranslation("tasks");
  const rest = (["pending", "disputed", "undecided", "flagged", "retracted"] as const)
    .filter((name) => rate[name] > 0)
    .map((name) => t(`rates.${name}`, { count: rate[name] }));
  const hasMacro = (rate.annotators ?? 0) > 1 && rate.macro_model_error_rate !== null;
  const people =
    rate.annotators === null ? [] : [t("rates.annotators", { count: rate.annotators })];
  return (
    <>
      <dl className={classes.figures}>
        <div>
          <dt>{t("rates.mer")}</dt>
          <dd>
            <RateText
              rate={rate.model_error_rate}
              name={t("rates.mer")}
              howCounted={t("rates.merCounted")}
            />
          </dd>
        </div>
        <div>
          <dt>{t("rates.vmer")}</dt>
          <dd>
            <RateText
              rate={rate.validated_model_error_rate}
              name={t("rates.vmer")}
              howCounted={t("rates.vmerCounted", { count: rate.pending })}
            />
          </dd>
        </div>
      </dl>
      <Text c="dimmed">{[...people, ...rest].join(" · ")}</Text>
      {hasMacro && (
        <Text c="dimmed">
          {t("rates.macro", {
            mer: formatPercent(rate.macro_model_error_rate, i18n.language),
            vmer: formatPercent(rate.macro_validated_model_error_rate, i18n.language),
          })}
        </Text>
      )}
      {rate.reason !== null && <Text c="dimmed">{saidOf(rate.reason, rate.reason_told)}</Text>}
    </>
  );
}

function Facts({ round }: { round: Schemas["RoundRead"] }) {
  const { t, i18n } = useTranslation("tasks");
  const { quorum, maximum } = round.validation;
  const opens = useOpensLater(round);
  const closes = round.status === "open" ? (round.schedule.closes_at ?? null) : null;
  const facts = [
    [
      t("facts.round"),
      t("facts.roundValue", { number: round.number, status: t(`round.${round.status}`) }),
    ],
    opens === null
      ? [
          t("facts.opened"),
          round.opened_at === null
            ? t("facts.notOpened")
            : formatDate(round.opened_at, i18n.language),
        ]
      : [t("facts.opens"), formatDateTime(opens, i18n.language)],
    ...(closes === null ? [] : [[t("facts.closes"), formatDateTime(closes, i18n.language)]]),
    [t("facts.target"), targetNames(round.targets, t)],
    [t("facts.policy"), t(`policy.${round.target_policy}`)],
    [t("facts.validation"), t("facts.validationValue", { count: quorum, maximum })],
    [t("facts.tries"), t("facts.triesValue", { count: round.max_tries })],
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <Fact key={name} name={name ?? ""} value={value ?? ""} />
      ))}
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
