import { Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { AnchorLink } from "../../components/ui/links";
import { formatDate } from "../../lib/format";
import type { DatasetVersion } from "./queries";

interface DatasetListProps {
  slug: string;
  /** The sets themselves, without those that vary them. */
  versions: readonly DatasetVersion[];
}

/** A task's datasets, each a way to everything about it. */
export function DatasetList({ slug, versions }: DatasetListProps) {
  const { t, i18n } = useTranslation("datasets");
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLocaleLowerCase();
  const shown = versions.filter(({ name, tags, subtask_of }) =>
    [name, ...tags, subtask_of ?? ""].some((text) => text.toLocaleLowerCase().includes(wanted)),
  );
  return (
    <Stack gap="sm">
      <TextInput
        label={t("list.search")}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        maw={320}
      />
      {shown.length === 0 ? (
        <Text role="status" c="dimmed">
          {t("list.noneFound")}
        </Text>
      ) : (
        <DataTable
          caption={t("list.caption")}
          rows={shown}
          rowKey={({ id }) => id}
          columns={[
            {
              key: "name",
              header: t("list.name"),
              cell: ({ id, name, version }) => (
                <AnchorLink
                  to="/tasks/$slug/owner/datasets"
                  params={{ slug }}
                  search={{ dataset: id }}
                  resetScroll={false}
                >
                  {t("version", { name, version })}
                </AnchorLink>
              ),
            },
            { key: "origin", header: t("list.origin"), cell: (one) => t(`origin.${one.origin}`) },
            { key: "access", header: t("list.access"), cell: (one) => t(`access.${one.access}`) },
            {
              key: "items",
              header: t("list.items"),
              isNumber: true,
              cell: ({ items }) => items.toLocaleString(i18n.language),
              sortBy: ({ items }) => items,
            },
            { key: "tags", header: t("list.tags"), cell: ({ tags }) => tags.join(", ") || "–" },
            {
              key: "created",
              header: t("list.created"),
              cell: ({ created_at }) => formatDate(created_at, i18n.language),
              sortBy: ({ created_at }) => created_at,
            },
          ]}
        />
      )}
    </Stack>
  );
}
