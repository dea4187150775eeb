import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { AnchorLink } from "../../components/ui/links";
import { useEstimate } from "./estimates";
import type { Scale, ScaledModel } from "./queries";

/** What each model is expected to score on every round, there or not. */
export function ExpectedTable({ scale }: { scale: Scale }) {
  const { t } = useTranslation("scales");
  const inLogits = useEstimate(2);
  const inPoints = useEstimate(1);
  const columns: Column<ScaledModel>[] = [
    {
      key: "model",
      header: t("models.model"),
      cell: ({ id, name, version }) => (
        <AnchorLink
          to="/tasks/$slug/models/$modelId"
          params={{ slug: scale.task_slug, modelId: id }}
        >
          {t("models.version", { name, version })}
        </AnchorLink>
      ),
      sortBy: ({ name }) => name,
    },
    {
      key: "ability",
      header: t("models.ability"),
      isNumber: true,
      cell: ({ ability }) => inLogits(ability),
      sortBy: ({ ability }) => ability.value,
    },
    { key: "on", header: t("models.on"), isNumber: true, cell: ({ sets }) => sets },
    ...scale.sets.map(({ version_id: id, name }, place) => ({
      key: id,
      header: name,
      isNumber: true,
      cell: ({ expected }: ScaledModel) => inPoints(expected[place] ?? null),
      sortBy: ({ expected }: ScaledModel) => expected[place]?.value ?? null,
    })),
  ];
  return (
    <DataTable
      caption={t("models.caption")}
      columns={columns}
      rows={scale.models}
      rowKey={({ id }) => id}
    />
  );
}
