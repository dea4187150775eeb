import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { AnchorLink, ButtonLink } from "../../components/ui/links";
import { Empty, QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";
import classes from "./profile.module.css";
import { creditQuery } from "./queries";

type Credit = Schemas["CreditRead"];
const FIGURES = ["verified_fooled", "pending", "fooled", "tries", "votes"] as const;

interface CreditViewProps {
  username: string;
  /** Whether the reader looks at their own page. */
  isOwn: boolean;
}

/** What a person did: in sum, and round by round. */
export function CreditView({ username, isOwn }: CreditViewProps) {
  const { t } = useTranslation("profile");
  const credit = useQuery(creditQuery(username));
  return (
    <QueryView
      query={credit}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <Empty
          title={isOwn ? t("credit.emptyOwn") : t("credit.empty", { name: username })}
          {...(isOwn
            ? {
                action: <ButtonLink to="/">{t("credit.toTasks")}</ButtonLink>,
              }
            : {})}
        >
          {isOwn ? t("credit.emptyOwnNext") : undefined}
        </Empty>
      }
    >
      {(rows) => (
        <Stack gap="md">
          <Totals rows={rows} />
          <CreditTable rows={rows} />
        </Stack>
      )}
    </QueryView>
  );
}

function Totals({ rows }: { rows: readonly Credit[] }) {
  const { t, i18n } = useTranslation("profile");
  return (
    <dl className={classes.figures}>
      {FIGURES.map((figure, place) => (
        <div key={figure} className={[classes.figure, place === 0 ? classes.first : ""].join(" ")}>
          <dt>{t(`credit.${figure}`)}</dt>
          <dd>
            {formatNumber(
              rows.reduce((sum, row) => sum + row[figure], 0),
              i18n.language,
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function CreditTable({ rows }: { rows: readonly Credit[] }) {
  const { t, i18n } = useTranslation("profile");
  const columns: Column<Credit>[] = [
    {
      key: "task",
      header: t("credit.task"),
      cell: ({ task_slug: slug }) => (
        <AnchorLink to="/tasks/$slug" params={{ slug }}>
          {slug}
        </AnchorLink>
      ),
      sortBy: ({ task_slug: slug }) => slug,
    },
    {
      key: "round",
      header: t("credit.round"),
      isNumber: true,
      cell: (row) => formatNumber(row.round_number, i18n.language),
      sortBy: (row) => row.round_number,
    },
    ...FIGURES.map((figure) => ({
      key: figure,
      header: t(`credit.${figure}`),
      isNumber: true,
      cell: (row: Credit) => formatNumber(row[figure], i18n.language),
      sortBy: (row: Credit) => row[figure],
    })),
  ];
  return (
    <DataTable
      caption={t("credit.byRound")}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.task_slug}/${row.round_number}`}
    />
  );
}
