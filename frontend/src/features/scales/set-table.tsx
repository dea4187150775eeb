import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { Said } from "../../components/ui/said";
import { Section } from "../../components/ui/section";
import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";
import { useEstimate } from "./estimates";
import type { ScaledSet } from "./queries";

/** How well each round tells models apart, and whether the others agree. */
export function SetTable({ sets }: { sets: readonly ScaledSet[] }) {
  const { t } = useTranslation("scales");
  const columns = useColumns();
  return (
    <Section title={t("sets.title")}>
      <DataTable
        caption={t("sets.caption")}
        columns={columns}
        rows={sets}
        rowKey={({ version_id: id }) => id}
      />
      <Text size="sm" c="dimmed" mt="xs" maw="72ch">
        {t("sets.agreementNote")}
      </Text>
      {sets.flatMap(reasonsOf).map(({ name, reason, told }) => (
        <Text key={`${name}: ${reason}`} size="sm" c="dimmed" mt={4}>
          {name}: <Said sentence={reason} told={told} />
        </Text>
      ))}
    </Section>
  );
}

/** Why something of a set is not known, each reason once. */
function reasonsOf({ name, separability, agreement }: ScaledSet) {
  const found = separability.reason === agreement.reason ? [agreement] : [separability, agreement];
  return found.flatMap(({ reason, reason_told: told }) =>
    reason === null ? [] : [{ name, reason, told }],
  );
}

function useColumns(): Column<ScaledSet>[] {
  const { t, i18n } = useTranslation("scales");
  const inLogits = useEstimate(2);
  const pairs = ({ value, part, whole }: Schemas["PairsRead"]) =>
    value === null
      ? "–"
      : t("sets.pairs", { value: formatNumber(value, i18n.language), part, whole });
  const sure = ({ value, agreeing, opposed, pairs: all }: Schemas["SetAgreementRead"]) =>
    value === null
      ? "–"
      : t("sets.sure", {
          value: formatNumber(value, i18n.language, 2),
          agreeing,
          opposed,
          pairs: all,
        });
  return [
    {
      key: "set",
      header: t("sets.set"),
      isProse: true,
      cell: ({ name, targets }) =>
        targets.length === 0 ? name : t("sets.without", { name, targets: targets.join(", ") }),
    },
    {
      key: "items",
      header: t("sets.items"),
      isNumber: true,
      cell: ({ items }) => formatNumber(items, i18n.language),
    },
    {
      key: "models",
      header: t("sets.models"),
      isNumber: true,
      cell: ({ separability }) => formatNumber(separability.models, i18n.language),
    },
    {
      key: "difficulty",
      header: t("sets.difficulty"),
      isNumber: true,
      cell: ({ difficulty }) => inLogits(difficulty),
      sortBy: ({ difficulty }) => difficulty?.value ?? null,
    },
    {
      key: "apart",
      header: t("sets.apart"),
      isNumber: true,
      cell: ({ separability }) => pairs(separability.told_apart),
      sortBy: ({ separability }) => separability.told_apart.value,
    },
    {
      key: "intervals",
      header: t("sets.intervals"),
      isNumber: true,
      cell: ({ separability }) => pairs(separability.by_intervals),
      sortBy: ({ separability }) => separability.by_intervals.value,
    },
    {
      key: "agreement",
      header: t("sets.agreement"),
      isNumber: true,
      cell: ({ agreement }) => sure(agreement),
      sortBy: ({ agreement }) => agreement.value,
    },
  ];
}
