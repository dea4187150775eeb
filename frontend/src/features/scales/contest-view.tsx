import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { Said } from "../../components/ui/said";
import { Section } from "../../components/ui/section";
import { formatNumber } from "../../lib/format";
import { useEstimate } from "./estimates";
import type { Contest, Estimate } from "./queries";

/** Who fooled what: rates corrected for who played, and how hard targets are to fool. */
export function ContestView({ contest }: { contest: Contest }) {
  const { t } = useTranslation("scales");
  const inLogits = useEstimate(2);
  return (
    <Section title={t("contest.title")}>
      <Stack gap="md">
        <Text maw="72ch">{t("contest.explain")}</Text>
        {contest.reason !== null && (
          <Text c="dimmed">
            {t("contest.none")} <Said sentence={contest.reason} told={contest.reason_told} />
          </Text>
        )}
        {contest.mine !== null && (
          <Text>{t("contest.mine", { skill: inLogits(contest.mine.skill) })}</Text>
        )}
        {contest.rounds.length > 0 && <Rates rounds={contest.rounds} />}
        {contest.models.length > 0 && (
          <DataTable
            caption={t("contest.strengths")}
            rows={contest.models}
            rowKey={({ model_id: id }) => id}
            columns={[
              {
                key: "target",
                header: t("contest.target"),
                cell: ({ name, version }) => t("models.version", { name, version }),
              },
              {
                key: "strength",
                header: t("contest.strength"),
                isNumber: true,
                cell: ({ strength }) => inLogits(strength),
              },
              {
                key: "attempts",
                header: t("contest.attempts"),
                isNumber: true,
                cell: ({ attempts }) => attempts,
              },
            ]}
          />
        )}
        {contest.annotators !== null && contest.annotators.length > 0 && (
          <Skills annotators={contest.annotators} />
        )}
      </Stack>
    </Section>
  );
}

function Rates({ rounds }: { rounds: Contest["rounds"] }) {
  const { t, i18n } = useTranslation("scales");
  const write = (value: number) => formatNumber(value, i18n.language, 1);
  const percent = (found: Estimate | null) => {
    if (found === null) return "–";
    const { value, low, high } = found;
    return low === null || high === null
      ? t("contest.percent", { value: write(value) })
      : t("contest.percentInterval", { value: write(value), low: write(low), high: write(high) });
  };
  return (
    <DataTable
      caption={t("contest.rounds")}
      rows={rounds}
      rowKey={({ round_number: number }) => String(number)}
      columns={[
        {
          key: "round",
          header: t("contest.roundColumn"),
          cell: ({ round_number: number }) => t("contest.round", { number }),
        },
        {
          key: "attempts",
          header: t("contest.attempts"),
          isNumber: true,
          cell: ({ attempts }) => formatNumber(attempts, i18n.language),
        },
        {
          key: "people",
          header: t("contest.people"),
          isNumber: true,
          cell: ({ annotators }) => formatNumber(annotators, i18n.language),
        },
        {
          key: "observed",
          header: t("contest.observed"),
          isNumber: true,
          cell: ({ observed }) =>
            percent(observed === null ? null : { value: observed, low: null, high: null }),
        },
        {
          key: "corrected",
          header: t("contest.corrected"),
          isNumber: true,
          cell: ({ corrected, reason, reason_told: told }) =>
            reason === null ? percent(corrected) : <Said sentence={reason} told={told} />,
        },
      ]}
    />
  );
}

function Skills({ annotators }: { annotators: NonNullable<Contest["annotators"]> }) {
  const { t, i18n } = useTranslation("scales");
  const inLogits = useEstimate(2);
  return (
    <DataTable
      caption={t("contest.skills")}
      rows={annotators}
      rowKey={({ username }) => username}
      columns={[
        { key: "person", header: t("contest.person"), cell: ({ username }) => username },
        {
          key: "skill",
          header: t("contest.skill"),
          isNumber: true,
          cell: ({ skill }) => inLogits(skill),
          sortBy: ({ skill }) => skill.value,
        },
        {
          key: "attempts",
          header: t("contest.attempts"),
          isNumber: true,
          cell: ({ attempts }) => formatNumber(attempts, i18n.language),
          sortBy: ({ attempts }) => attempts,
        },
      ]}
    />
  );
}
