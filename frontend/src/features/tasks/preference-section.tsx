import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { formatNumber, formatPercent } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import { preferencesQuery } from "./queries";

type Board = Schemas["PreferenceBoardRead"];
type Row = Schemas["PreferenceRow"];

/** Models by which of their replies people chose. */
export function PreferenceSection({ slug }: { slug: string }) {
  const board = useQuery(preferencesQuery(slug));
  return (
    <QueryView query={board}>
      {(found) => (
        <Stack gap="md">
          {found.reason !== null && (
            <Text c="dimmed">{saidOf(found.reason, found.reason_told)}</Text>
          )}
          {found.rows.length > 0 && <Ranking board={found} />}
        </Stack>
      )}
    </QueryView>
  );
}

function Ranking({ board }: { board: Board }) {
  const { t } = useTranslation("tasks");
  const isAnyUnranked = board.rows.some(({ reason }) => reason !== null);
  const counted = [
    t("preferences.choices", { count: board.choices }),
    t("preferences.conversations", { count: board.conversations }),
    ...(board.ties > 0 ? [t("preferences.ties", { count: board.ties })] : []),
    ...(board.all_bad > 0 ? [t("preferences.noneGood", { count: board.all_bad })] : []),
  ];
  return (
    <>
      <DataTable
        caption={t("preferences.caption")}
        rows={board.rows}
        rowKey={({ model_id }) => model_id}
        columns={useColumns(isAnyUnranked)}
      />
      <Text c="dimmed">{counted.join(" · ")}</Text>
    </>
  );
}

function useColumns(isAnyUnranked: boolean): Column<Row>[] {
  const { t, i18n } = useTranslation("tasks");
  const language = i18n.language;
  const columns: Column<Row>[] = [
    {
      key: "rank",
      header: t("preferences.rank"),
      isNumber: true,
      cell: ({ rank }) => formatNumber(rank, language),
      sortBy: ({ rank }) => rank,
    },
    {
      key: "model",
      header: t("preferences.model"),
      cell: (row) => t("round.target", { name: row.model_name, version: row.model_version }),
      sortBy: ({ model_name }) => model_name,
    },
    {
      key: "strength",
      header: t("preferences.strength"),
      isNumber: true,
      cell: (row) => <Strength row={row} />,
      sortBy: ({ strength }) => strength,
    },
    {
      key: "wins",
      header: t("preferences.winRate"),
      isNumber: true,
      cell: ({ win_rate: rate, battles }) => (
        <>
          {formatPercent(rate === null ? null : rate / 100, language)}
          <Text span c="dimmed" size="sm">
            {" "}
            {t("preferences.ofBattles", { count: battles })}
          </Text>
        </>
      ),
      sortBy: ({ win_rate }) => win_rate,
    },
    {
      key: "allBad",
      header: t("preferences.allBad"),
      isNumber: true,
      cell: ({ all_bad: count, replies }) => t("preferences.ofReplies", { count, replies }),
      sortBy: ({ all_bad: count, replies }) => (replies === 0 ? null : count / replies),
    },
  ];
  const why: Column<Row> = {
    key: "why",
    header: t("preferences.why"),
    isProse: true,
    cell: ({ reason, reason_told: told }) => saidOf(reason ?? "", told),
  };
  return isAnyUnranked ? [...columns, why] : columns;
}

function Strength({ row }: { row: Row }) {
  const { t, i18n } = useTranslation();
  const shown = (value: number | null) => formatNumber(value, i18n.language);
  return (
    <>
      {shown(row.strength)}
      {row.low !== null && row.high !== null && (
        <Text span c="dimmed" size="sm">
          {" "}
          ({shown(row.low)} {t("rate.to")} {shown(row.high)})
        </Text>
      )}
    </>
  );
}
