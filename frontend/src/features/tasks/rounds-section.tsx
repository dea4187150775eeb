import { Stack } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { RateText } from "../../components/ui/rate-text";
import { QueryView } from "../../components/ui/states";
import { TrendChart } from "../../components/ui/trend-chart";
import type { Schemas } from "../../lib/api-client";
import { errorRateQuery, roundsQuery } from "./queries";
import { targetNames } from "./round-words";

/** How the error rates went from round to round. */
export function RoundsSection({ slug }: { slug: string }) {
  const rounds = useQuery(roundsQuery(slug));
  return (
    <QueryView query={rounds}>
      {(list) => (
        <RoundTrend
          rounds={list
            .filter((round) => round.status !== "draft")
            .toSorted((one, other) => one.number - other.number)}
        />
      )}
    </QueryView>
  );
}

interface Row {
  round: Schemas["RoundRead"];
  rate: Schemas["ErrorRateRead"] | null;
}

function RoundTrend({ rounds }: { rounds: readonly Schemas["RoundRead"][] }) {
  const { t } = useTranslation("tasks");
  const rates = useQueries({ queries: rounds.map(({ id }) => errorRateQuery(id)) });
  const rows: Row[] = rounds.map((round, index) => ({
    round,
    rate: rates[index]?.data ?? null,
  }));
  return (
    <Stack gap="md">
      {rounds.length > 1 && (
        <TrendChart
          title={t("rounds.trend")}
          axis={t("rounds.axis")}
          series={[
            { key: "mer", name: t("rates.mer") },
            { key: "vmer", name: t("rates.vmer") },
          ]}
          points={rows.map(({ round, rate }) => ({
            label: String(round.number),
            rates: {
              mer: rate?.model_error_rate ?? null,
              vmer: rate?.validated_model_error_rate ?? null,
            },
          }))}
        />
      )}
      <RoundTable rows={rows} />
    </Stack>
  );
}

function RoundTable({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation("tasks");
  return (
    <DataTable
      caption={t("rounds.caption")}
      rows={rows}
      rowKey={({ round }) => round.id}
      columns={[
        { key: "number", header: t("rounds.number"), cell: ({ round }) => round.number },
        {
          key: "status",
          header: t("rounds.status"),
          cell: ({ round }) => t(`round.${round.status}`),
        },
        {
          key: "target",
          header: t("rounds.target"),
          cell: ({ round }) => targetNames(round.targets, t),
        },
        {
          key: "collected",
          header: t("rounds.collected"),
          isNumber: true,
          cell: ({ rate }) => rate?.collected ?? "–",
        },
        {
          key: "mer",
          header: t("rates.mer"),
          isNumber: true,
          cell: ({ rate }) =>
            rate !== null && (
              <RateText
                rate={rate.model_error_rate}
                name={t("rates.mer")}
                howCounted={t("rates.merCounted")}
              />
            ),
        },
        {
          key: "vmer",
          header: t("rates.vmer"),
          isNumber: true,
          cell: ({ rate }) =>
            rate !== null && (
              <RateText
                rate={rate.validated_model_error_rate}
                name={t("rates.vmer")}
                howCounted={t("rates.vmerCounted", { count: rate.pending })}
              />
            ),
        },
      ]}
    />
  );
}
