import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { AnchorLink } from "../../components/ui/links";
import { Empty } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";
import { useMetricTitle } from "../../lib/metric-titles";
import { formatPValue, formatScore } from "../../lib/scores";
import { isTold, verdictWords } from "./comparison-words";
import classes from "./evaluations.module.css";
import type { Comparison, DatasetComparison } from "./queries";
import { Whisker } from "./score-text";

type Paired = Schemas["PairedRead"];

/** How a model is called: its name and version. */
export function nameOf({ name, version }: { name: string; version: number }): string {
  return `${name} v${version}`;
}

interface ComparisonViewProps {
  comparison: Comparison;
  chosen: DatasetComparison | undefined;
}

/** Two models on every dataset: who is better, by how much, and whether that can be told. */
export function ComparisonView({ comparison, chosen }: ComparisonViewProps) {
  const { t, i18n } = useTranslation("evaluations");
  const title = useMetricTitle();
  const names = { left: nameOf(comparison.left), right: nameOf(comparison.right) };
  const { metric, datasets, lacking } = comparison;
  if (datasets.length === 0) {
    return <Empty title={t("compare.none")}>{t("compare.noneNext")}</Empty>;
  }
  return (
    <Stack gap="md">
      {chosen?.paired != null && (
        <div className={classes.verdict} data-told={isTold(chosen.paired)} role="status">
          <Text fw={600}>{verdictWords(chosen.paired, names, i18n.language, t)}</Text>
          <Numbers dataset={chosen} paired={chosen.paired} names={names} />
        </div>
      )}
      <DatasetTable comparison={comparison} chosen={chosen} names={names} />
      <Text size="sm" c="dimmed">
        {t("compare.how", { metric: metric === null ? t("table.score") : title(metric) })}
      </Text>
      {lacking.length > 0 && (
        <Text size="sm" c="dimmed">
          {t("compare.lacking", {
            datasets: lacking
              .map((one) => {
                const lacks = one.lacks[0] === comparison.left.id ? names.left : names.right;
                return `${one.dataset_name} v${one.dataset_version} (${lacks})`;
              })
              .join(", "),
          })}
        </Text>
      )}
      {chosen !== undefined && chosen.tags.length > 0 && (
        <TagTable dataset={chosen} names={names} />
      )}
    </Stack>
  );
}

interface Names {
  left: string;
  right: string;
}

interface NumbersProps {
  dataset: DatasetComparison;
  paired: Paired;
  names: Names;
}

/** The tests behind the sentence. */
function Numbers({ dataset, paired, names }: NumbersProps) {
  const { t, i18n } = useTranslation("evaluations");
  const { mcnemar, p_value, items } = paired;
  return (
    <Text size="sm" mt={4}>
      {t("compare.numbers", {
        dataset: `${dataset.dataset_name} v${dataset.dataset_version}`,
        items: formatNumber(items, i18n.language),
        difference: difference(paired, i18n.language, t("to")),
        p: formatPValue(p_value, i18n.language),
      })}
      {mcnemar !== null &&
        ` ${t("compare.mcnemar", {
          left: names.left,
          right: names.right,
          onlyLeft: formatNumber(mcnemar.only_left, i18n.language),
          onlyRight: formatNumber(mcnemar.only_right, i18n.language),
          p: formatPValue(mcnemar.p_value, i18n.language),
        })}`}
    </Text>
  );
}

function difference({ difference: value, low, high }: Paired, language: string, to: string) {
  return `${value > 0 ? "+" : ""}${formatScore({ value, low, high }, language, to)}`;
}

function usePairedColumns(names: Names) {
  const { t, i18n } = useTranslation("evaluations");
  const number = (value: number) => formatNumber(value, i18n.language, 1);
  const column = (key: string, header: string, cell: (paired: Paired) => React.ReactNode) => ({
    key,
    header,
    isNumber: true,
    cell: ({ paired }: { paired: Paired | null }) => (paired === null ? "–" : cell(paired)),
  });
  return [
    column("n", t("compare.items"), ({ items }) => formatNumber(items, i18n.language)),
    column("left", names.left, ({ left }) => number(left)),
    column("right", names.right, ({ right }) => number(right)),
    column("difference", t("compare.difference"), (paired) => (
      <>
        {difference(paired, i18n.language, t("to"))}
        <Whisker score={{ ...paired, value: paired.difference }} from={-50} to={50} />
      </>
    )),
    column("p", t("compare.p"), ({ p_value }) => formatPValue(p_value, i18n.language)),
    column("mcnemar", t("compare.onlyOne"), ({ mcnemar }) =>
      mcnemar === null
        ? "–"
        : `${formatNumber(mcnemar.only_left, i18n.language)} : ${formatNumber(mcnemar.only_right, i18n.language)}`,
    ),
  ];
}

interface DatasetTableProps {
  comparison: Comparison;
  chosen: DatasetComparison | undefined;
  names: Names;
}

function DatasetTable({ comparison, chosen, names }: DatasetTableProps) {
  const { t } = useTranslation("evaluations");
  const columns = usePairedColumns(names);
  return (
    <DataTable
      caption={t("compare.caption")}
      rows={comparison.datasets}
      rowKey={(one) => one.dataset_version_id}
      columns={[
        {
          key: "dataset",
          header: t("table.dataset"),
          cell: (one) => (
            <>
              <AnchorLink
                to="/tasks/$slug/compare"
                params={{ slug: comparison.task_slug }}
                search={{
                  left: comparison.left.id,
                  right: comparison.right.id,
                  dataset: one.dataset_version_id,
                }}
                resetScroll={false}
                underline="always"
                {...(one === chosen ? { "aria-current": "true" } : {})}
              >
                {`${one.dataset_name} v${one.dataset_version}`}
              </AnchorLink>
              <Text size="sm" c="dimmed">
                {[
                  one.round_number === null ? null : t("table.round", { number: one.round_number }),
                  t(`split.${one.split}`),
                ]
                  .filter((part) => part !== null)
                  .join(" · ")}
              </Text>
            </>
          ),
        },
        ...columns,
      ]}
    />
  );
}

function TagTable({ dataset, names }: { dataset: DatasetComparison; names: Names }) {
  const { t } = useTranslation("evaluations");
  const columns = usePairedColumns(names);
  return (
    <div>
      <DataTable
        caption={t("compare.tags", { dataset: dataset.dataset_name })}
        rows={dataset.tags.map((one) => ({ tag: one.tag, paired: one }))}
        rowKey={({ tag }) => tag}
        columns={[
          { key: "tag", header: t("tags.tag"), cell: ({ tag }: { tag: string }) => tag },
          ...columns,
        ]}
      />
      <Text size="sm" c="dimmed" mt={4}>
        {t("compare.manyTests")}
      </Text>
    </div>
  );
}
