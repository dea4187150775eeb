import { Anchor, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { AnchorLink } from "../../components/ui/links";
import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { formatDate } from "../../lib/format";
import { datasetsQuery } from "./queries";

type Version = Schemas["DatasetVersionRead"];

/** Sets that vary others only show how steady models are; nobody takes them home. */
const withoutVariants = (list: readonly Version[]) =>
  list.filter(({ origin }) => origin !== "perturbation");

/** What was released or brought, with its splits to download. */
export function DataSection({ slug }: { slug: string }) {
  const { t, i18n } = useTranslation("tasks");
  const datasets = useQuery({ ...datasetsQuery(slug), select: withoutVariants });
  return (
    <QueryView
      query={datasets}
      isEmpty={(list) => list.length === 0}
      empty={<Text c="dimmed">{t("data.none")}</Text>}
    >
      {(list) => (
        <DataTable
          caption={t("data.caption")}
          rows={list}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "name",
              header: t("data.name"),
              cell: ({ id, name, version }) => (
                <AnchorLink
                  to="/tasks/$slug/datasets/$versionId"
                  params={{ slug, versionId: id }}
                  underline="always"
                >
                  {t("data.version", { name, version })}
                </AnchorLink>
              ),
            },
            {
              key: "round",
              header: t("data.round"),
              cell: ({ round_number }) => round_number ?? "–",
            },
            { key: "splits", header: t("data.splits"), cell: (one) => <Splits version={one} /> },
            { key: "licence", header: t("data.licence"), cell: ({ licence }) => licence },
            {
              key: "created",
              header: t("data.created"),
              cell: ({ created_at }) => formatDate(created_at, i18n.language),
            },
          ]}
        />
      )}
    </QueryView>
  );
}

function Splits({ version }: { version: Version }) {
  const { t } = useTranslation("tasks");
  return (
    <Group gap="sm" wrap="nowrap">
      {version.splits
        .filter(({ items }) => items > 0)
        .map(({ split, items }) => (
          <Anchor
            key={split}
            href={`/api/v1/dataset-versions/${version.id}/splits/${split}`}
            download={`${version.name}-v${version.version}-${split}.jsonl`}
          >
            {t("data.split", { split, count: items })}
          </Anchor>
        ))}
    </Group>
  );
}
