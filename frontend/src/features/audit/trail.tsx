import { Group, NativeSelect, Stack } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { MoreButton } from "../../components/ui/more-button";
import { SearchField } from "../../components/ui/search-field";
import { Empty, QueryView } from "../../components/ui/states";
import { formatDateTime } from "../../lib/format";
import { auditQuery, type Entry, KINDS } from "./queries";

const CHANGES = ["added", "changed", "removed"] as const;

/** Who changed what, with what it was before; of one task, or everywhere. */
export function Trail({ slug }: { slug: string | null }) {
  const { t } = useTranslation("audit");
  const [who, setWho] = useState("");
  const [act, setAct] = useState("");
  const entries = useInfiniteQuery(auditQuery(slug, { who, act }));
  const found = entries.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Stack gap="sm" align="stretch">
      <Group align="end">
        <SearchField label={t("who")} search={who} onSearch={setWho} />
        <NativeSelect
          label={t("kind")}
          value={act}
          onChange={({ currentTarget: { value } }) => setAct(value)}
          data={[
            { value: "", label: t("everything") },
            ...KINDS.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
          ]}
        />
      </Group>
      <QueryView
        query={entries}
        isEmpty={() => found.length === 0}
        empty={<Empty title={t("empty")}>{t("emptyNext")}</Empty>}
      >
        {() => (
          <>
            <Entries entries={found} />
            <MoreButton list={entries}>{t("more")}</MoreButton>
          </>
        )}
      </QueryView>
    </Stack>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const { t, i18n } = useTranslation("audit");
  const columns: Column<Entry>[] = [
    { key: "at", header: t("at"), cell: ({ at }) => formatDateTime(at, i18n.language) },
    { key: "actor", header: t("actor"), cell: ({ actor_name: name }) => name },
    { key: "act", header: t("act"), cell: ({ act }) => actOf(act, t) },
    {
      key: "subject",
      header: t("subject"),
      cell: ({ subject_name: name, subject_id: id }) => name ?? id ?? "–",
    },
    { key: "change", header: t("change"), isProse: true, cell: changeOf },
    { key: "reason", header: t("reason"), isProse: true, cell: ({ reason }) => reason ?? "" },
  ];
  const shown = columns.filter(
    ({ key }) => key !== "reason" || entries.some(({ reason }) => reason !== null),
  );
  return (
    <DataTable
      caption={t("caption")}
      columns={shown}
      rows={entries}
      rowKey={({ number }) => String(number)}
    />
  );
}

/** An act in words; one that this page does not know keeps its own name. */
function actOf(act: string, t: TFunction<"audit">): string {
  const kind = KINDS.find((one) => act.startsWith(`${one}.`));
  const change = CHANGES.find((one) => act.endsWith(`.${one}`));
  return kind === undefined || change === undefined
    ? act
    : t("did", { kind: t(`kinds.${kind}`), change: t(`changes.${change}`) });
}

/** Each value that changed, with what it was; of what is new or gone, the values that say something. */
function changeOf({ before, after }: Entry): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const isWhole = before === null || after === null;
  return names
    .filter((name) => !isWhole || !isEmpty((before ?? after)?.[name]))
    .map((name) => {
      const now = JSON.stringify(after?.[name] ?? null);
      return before === null
        ? `${name}: ${now}`
        : `${name}: ${JSON.stringify(before[name] ?? null)} → ${now}`;
    })
    .join(", ");
}

/** Whether a value says nothing: no value, no text, an empty list. */
function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}
