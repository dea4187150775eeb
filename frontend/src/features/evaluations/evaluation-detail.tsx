import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import { useMetricTitle } from "../../lib/metric-titles";
import classes from "./evaluations.module.css";
import { speedInWords } from "./figures";
import { JobLog } from "./job-log";
import type { Evaluation } from "./queries";
import { ScoreText, Whisker } from "./score-text";

interface EvaluationDetailProps {
  evaluation: Evaluation;
  canManage: boolean;
}

/** Everything that was measured of a model on one dataset. */
export function EvaluationDetail({ evaluation, canManage }: EvaluationDetailProps) {
  const { job_id: jobId } = evaluation;
  return (
    <Stack gap="lg" className={classes.detail}>
      <Metrics evaluation={evaluation} />
      {evaluation.tag_scores.length > 0 && <Tags evaluation={evaluation} />}
      {evaluation.deltas.length > 0 && <Deltas evaluation={evaluation} />}
      {evaluation.measurement !== null && <Measured measurement={evaluation.measurement} />}
      {canManage && jobId !== null && <JobLog key={jobId} jobId={jobId} />}
    </Stack>
  );
}

function Metrics({ evaluation }: { evaluation: Evaluation }) {
  const { t } = useTranslation("evaluations");
  const title = useMetricTitle();
  return (
    <DataTable
      caption={t("metrics.caption")}
      rows={evaluation.scores}
      rowKey={({ split, metric }) => `${split} ${metric}`}
      columns={[
        { key: "metric", header: t("metrics.metric"), cell: ({ metric }) => title(metric) },
        { key: "split", header: t("metrics.split"), cell: ({ split }) => t(`split.${split}`) },
        { key: "plot", header: t("metrics.interval"), cell: (score) => <Whisker score={score} /> },
        {
          key: "value",
          header: t("metrics.value"),
          isNumber: true,
          cell: (score) => <ScoreText score={score} />,
        },
      ]}
    />
  );
}

function Tags({ evaluation }: { evaluation: Evaluation }) {
  const { t } = useTranslation("evaluations");
  const title = useMetricTitle();
  const rows = evaluation.tag_scores.toSorted((one, other) => other.items - one.items);
  const metrics = [...new Set(rows.map(({ metric }) => metric))].map(title);
  return (
    <DataTable
      caption={t("tags.caption", { metric: metrics.join(", ") })}
      rows={rows}
      rowKey={({ split, tag, metric }) => `${split} ${tag} ${metric}`}
      columns={[
        { key: "tag", header: t("tags.tag"), cell: ({ tag }) => tag, sortBy: ({ tag }) => tag },
        ...(metrics.length > 1
          ? [
              {
                key: "metric",
                header: t("metrics.metric"),
                cell: ({ metric }: Evaluation["tag_scores"][number]) => title(metric),
              },
            ]
          : []),
        { key: "split", header: t("metrics.split"), cell: ({ split }) => t(`split.${split}`) },
        { key: "plot", header: t("metrics.interval"), cell: (score) => <Whisker score={score} /> },
        {
          key: "value",
          header: t("metrics.value"),
          isNumber: true,
          cell: (score) => <ScoreText score={score} />,
          sortBy: ({ value }) => value,
        },
      ]}
    />
  );
}

function Deltas({ evaluation }: { evaluation: Evaluation }) {
  const { t } = useTranslation("evaluations");
  return (
    <DataTable
      caption={t("delta.caption")}
      rows={evaluation.deltas}
      rowKey={(one) => `${one.perturbed_version_id} ${one.split} ${one.transform ?? ""}`}
      columns={[
        { key: "kind", header: t("delta.kind"), cell: ({ kind }) => t(`delta.${kind}`) },
        {
          key: "transform",
          header: t("delta.transform"),
          cell: ({ transform }) => transform?.replaceAll("_", " ") ?? t("delta.all"),
        },
        { key: "split", header: t("metrics.split"), cell: ({ split }) => t(`split.${split}`) },
        { key: "plot", header: t("metrics.interval"), cell: (delta) => <Whisker score={delta} /> },
        {
          key: "value",
          header: t("delta.agreement"),
          isNumber: true,
          cell: (delta) => <ScoreText score={delta} />,
        },
        {
          key: "gold",
          header: t("delta.gold"),
          isNumber: true,
          cell: ({ gold_value }) => (
            <ScoreText score={{ value: gold_value, low: null, high: null }} />
          ),
        },
      ]}
    />
  );
}

function Measured({ measurement }: { measurement: Schemas["MeasurementRead"] }) {
  const { t, i18n } = useTranslation("evaluations");
  const number = (value: number | null, digits: number) =>
    formatNumber(value, i18n.language, digits);
  const speed = (value: number | null) => speedInWords(value, i18n.language);
  const { examples_per_second_low: low, examples_per_second_high: high } = measurement;
  const range = low === null || high === null ? "" : ` (${speed(low)} ${t("to")} ${speed(high)})`;
  const facts = [
    ["one", `${speed(measurement.examples_per_second)}${range}`],
    ["batched", speed(measurement.batched_examples_per_second)],
    ["memoryMean", number(measurement.memory_mean_gib, 2)],
    ["memoryPeak", number(measurement.memory_peak_gib, 2)],
    ["cpu", number(measurement.cpu_seconds, 1)],
    ["reference", number(measurement.reference_seconds, 3)],
  ] as const;
  const machine = Object.entries(measurement.machine)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${String(value)}`)
    .join(" · ");
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {t("measured.caption")}
      </Text>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`measured.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {measurement.reason !== null && (
        <Text size="sm" mt="xs">
          {saidOf(measurement.reason, measurement.reason_told)}
        </Text>
      )}
      <Text size="sm" c="dimmed" mt="xs">
        {measurement.is_measured_at_client ? `${t("measured.atClient")} ` : ""}
        {machine}
      </Text>
    </div>
  );
}
