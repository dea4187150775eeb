import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { AnchorLink } from "../../components/ui/links";
import { formatNumber } from "../../lib/format";
import { useMetricTitle } from "../../lib/metric-titles";
import { EvaluationState } from "./evaluation-state";
import { inOrder, principalOf, speedInWords, whole } from "./figures";
import type { Evaluation } from "./queries";
import { ScoreText } from "./score-text";

interface EvaluationTableProps {
  evaluations: readonly Evaluation[];
  /** The evaluation that is looked at below. */
  chosen: string | null;
  /** The model's page, on which the items are. */
  address: { slug: string; modelId: string };
  /** Whether the reader may stop and repeat them. */
  canManage: boolean;
}

/** A model on every dataset: how far it is, its figures, and the way to its items. */
export function EvaluationTable(props: EvaluationTableProps) {
  const { evaluations, chosen, address, canManage } = props;
  const { t, i18n } = useTranslation("evaluations");
  const title = useMetricTitle();
  const rows = inOrder(evaluations);
  const principal = rows.map(principalOf).find((score) => score !== undefined)?.metric;
  const has = (kind: "robustness" | "fairness") =>
    rows.some((row) => whole(row, kind) !== undefined);
  const isMeasured = rows.some(({ measurement }) => measurement !== null);
  const number = (value: number | null | undefined, digits: number) =>
    formatNumber(value ?? null, i18n.language, digits);
  const columns: (Column<Evaluation> | false)[] = [
    {
      key: "dataset",
      header: t("table.dataset"),
      cell: (row) => (
        <DatasetCell evaluation={row} isChosen={row.id === chosen} address={address} />
      ),
    },
    {
      key: "state",
      header: t("table.state"),
      cell: (row) => <EvaluationState evaluation={row} canManage={canManage} />,
    },
    {
      key: "principal",
      header: principal === undefined ? t("table.score") : title(principal),
      isNumber: true,
      cell: (row) => <ScoreText score={principalOf(row)} />,
    },
    has("robustness") && {
      key: "robustness",
      header: t("delta.robustness"),
      isNumber: true,
      cell: (row) => <ScoreText score={whole(row, "robustness")} />,
    },
    has("fairness") && {
      key: "fairness",
      header: t("delta.fairness"),
      isNumber: true,
      cell: (row) => <ScoreText score={whole(row, "fairness")} />,
    },
    isMeasured && {
      key: "throughput",
      header: t("table.throughput"),
      isNumber: true,
      cell: ({ measurement }) =>
        speedInWords(measurement?.examples_per_second ?? null, i18n.language),
    },
    isMeasured && {
      key: "memory",
      header: t("table.memory"),
      isNumber: true,
      cell: ({ measurement }) => number(measurement?.memory_mean_gib, 2),
    },
    {
      key: "failed",
      header: t("table.failed"),
      isNumber: true,
      cell: ({ failed_items }) => number(failed_items, 0),
    },
  ];
  return (
    <DataTable
      caption={t("table.caption")}
      rows={rows}
      rowKey={({ id }) => id}
      columns={columns.filter((column) => column !== false)}
    />
  );
}

interface DatasetCellProps {
  evaluation: Evaluation;
  isChosen: boolean;
  address: EvaluationTableProps["address"];
}

function DatasetCell({ evaluation, isChosen, address }: DatasetCellProps) {
  const { t } = useTranslation("evaluations");
  const { id, dataset_name, dataset_version, round_number, access, perturbs_id } = evaluation;
  const name = `${dataset_name} v${dataset_version}`;
  return (
    <>
      {evaluation.state === "done" ? (
        <AnchorLink
          to="/tasks/$slug/models/$modelId"
          params={address}
          search={{ evaluation: id }}
          resetScroll={false}
          underline="always"
          {...(isChosen ? { "aria-current": "true" } : {})}
        >
          {name}
        </AnchorLink>
      ) : (
        name
      )}
      <Text size="sm" c="dimmed">
        {[
          round_number === null ? null : t("table.round", { number: round_number }),
          perturbs_id === null ? t(`access.${access}`) : t("table.changed"),
        ]
          .filter((part) => part !== null)
          .join(" · ")}
      </Text>
    </>
  );
}
