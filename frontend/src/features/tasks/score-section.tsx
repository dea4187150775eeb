import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";
import { metricTitle } from "./metric-words";
import { scoresQuery } from "./queries";
import { type ScoreRow, tabulate } from "./score-table";

/** Models against datasets: every metric on each test split. */
export function ScoreSection({ slug }: { slug: string }) {
  const { t } = useTranslation("tasks");
  const scores = useQuery(scoresQuery(slug));
  return (
    <QueryView
      query={scores}
      isEmpty={(list) => tabulate(list).rows.length === 0}
      empty={<Text c="dimmed">{t("scores.none")}</Text>}
    >
      {(list) => <Scores scores={list} />}
    </QueryView>
  );
}

function Scores({ scores }: { scores: readonly Schemas["ScoreRead"][] }) {
  const { t } = useTranslation("tasks");
  const { metrics, columns: scored, rows } = tabulate(scores);
  const isOne = metrics.length === 1;
  const columns: Column<ScoreRow>[] = [
    {
      key: "model",
      header: t("scores.model"),
      cell: ({ name }) => name,
      sortBy: (row) => row.name,
    },
    ...scored.map(({ id, dataset, metric }) => ({
      key: id,
      header: isOne ? dataset : t("scores.column", { dataset, metric: metricTitle(metric, t) }),
      isNumber: true,
      cell: (row: ScoreRow) => <Score score={row.scores[id]} />,
      sortBy: (row: ScoreRow) => row.scores[id]?.value ?? null,
    })),
  ];
  return (
    <DataTable
      caption={t(isOne ? "scores.caption" : "scores.captionAll", {
        metric: metrics.map((name) => metricTitle(name, t)).join(", "),
      })}
      rows={rows}
      rowKey={({ id }) => id}
      columns={columns}
    />
  );
}

function Score({ score }: { score: Schemas["ScoreRead"] | undefined }) {
  const { t, i18n } = useTranslation();
  if (score?.value === undefined || score.value === null) return "–";
  const shown = (value: number | null) => formatNumber(value, i18n.language, 1);
  return (
    <>
      {shown(score.value)}
      {score.low !== null && score.high !== null && (
        <Text span c="dimmed" size="sm">
          {" "}
          ({shown(score.low)} {t("rate.to")} {shown(score.high)}), n {score.items}
        </Text>
      )}
    </>
  );
}
