import { type ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { formatDateTime, formatPercent } from "../../lib/format";
import type { Round } from "./queries";
import classes from "./rounds.module.css";

/** What was fixed for a round, in words. */
export function RoundFacts({ round }: { round: Round }) {
  const { t, i18n } = useTranslation("rounds");
  const facts: [string, ReactNode][] = [
    [t("facts.targets"), targetNames(round)],
    [t("facts.targetPolicy"), t(`targetPolicy.${round.target_policy}`)],
    [
      t("facts.contexts"),
      [
        t(`contextPolicy.${round.context_policy}`),
        round.context_tags.length > 0
          ? t("facts.fromTags", { tags: round.context_tags.join(", ") })
          : t("facts.fromAll"),
      ].join(" · "),
    ],
    [t("facts.maxTries"), t("facts.tries", { count: round.max_tries })],
  ];
  const { mode, quorum, maximum, gold_from, share_of_others } = round.validation;
  const validation = [
    t(`mode.${mode}`),
    t("facts.votes", { quorum, maximum }),
    gold_from === "validators" ? t("facts.goldFromValidators") : null,
    share_of_others > 0
      ? t("facts.others", { share: formatPercent(share_of_others, i18n.language) })
      : null,
  ];
  facts.push([t("facts.validation"), validation.filter((part) => part !== null).join(" · ")]);
  const { no_model_share: hidden, earlier_share: earlier } = round.controls;
  const controls = [
    hidden > 0 ? t("controls.hidden", { share: formatPercent(hidden, i18n.language) }) : null,
    earlier > 0
      ? t("controls.against", {
          share: formatPercent(earlier, i18n.language),
          model: round.control_target?.name ?? "–",
        })
      : null,
  ].filter((part) => part !== null);
  if (controls.length > 0) facts.push([t("controls.title"), controls.join(" · ")]);
  const isAhead = round.status === "draft" || round.status === "open";
  for (const moment of ["opens_at", "closes_at"] as const) {
    const when = round.schedule[moment] ?? null;
    if (isAhead && when !== null) {
      facts.push([t(`times.${moment}`), formatDateTime(when, i18n.language)]);
    }
  }
  for (const moment of ["opened_at", "closed_at", "released_at"] as const) {
    const when = round[moment];
    if (when !== null) facts.push([t(`facts.${moment}`), formatDateTime(when, i18n.language)]);
  }
  if (round.close_reason !== null) facts.push([t("facts.closeReason"), round.close_reason]);
  if (round.provenance !== null) {
    const { title, source, licence } = round.provenance;
    facts.push([t("facts.elsewhere"), `${title}: ${source} (${licence})`]);
  }
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <FactRow key={name} name={name}>
          {value}
        </FactRow>
      ))}
    </dl>
  );
}

function FactRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** "starter, version 1" for each target. */
export function targetNames(round: Round): string {
  return round.targets.map(({ name, version }) => `${name} v${version}`).join(", ");
}
