import { List, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { Said } from "../../components/ui/said";
import { formatDateTime, formatNumber, formatPercent } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import classes from "./boards.module.css";
import { metricHeader } from "./figures";
import type { Board } from "./queries";

/** Everything that must be printed with a Dynascore, and what it means. */
export function BoardDetails({ board }: { board: Board }) {
  const { t, i18n } = useTranslation("boards");
  const language = i18n.language;
  const facts = [
    ...(board.rates_from === "observed" ? [t("details.pairs", { count: board.pairs })] : []),
    ...(board.pairs_skipped > 0 ? [t("details.skipped", { count: board.pairs_skipped })] : []),
    t("details.budget", { budget: formatNumber(board.budget_gib, language, 1) }),
    ...(board.rates === null
      ? []
      : [
          t("details.rates", {
            name: board.rates.name,
            date: formatDateTime(board.rates.created_at, language),
          }),
        ]),
    ...(board.as_of === null
      ? []
      : [t("details.asOf", { date: formatDateTime(board.as_of, language) })]),
    ...board.notes.map((note, place) => saidOf(note, board.notes_told[place])),
  ];
  return (
    <details className={classes.details}>
      <summary>{t("details.title")}</summary>
      <Stack gap="sm" mt="sm">
        <Text>{t("details.how")}</Text>
        <Text>{t("details.ranks")}</Text>
        <Text>{t("details.fragile")}</Text>
        <DataTable
          caption={t("details.ratesCaption")}
          rows={board.metrics}
          rowKey={({ name }) => name}
          columns={[
            { key: "metric", header: t("details.metric"), cell: (one) => metricHeader(one, t) },
            {
              key: "weight",
              header: t("details.weight"),
              isNumber: true,
              cell: ({ weight }) =>
                formatNumber(weight, language, Number.isInteger(weight) ? 0 : 1),
            },
            {
              key: "share",
              header: t("details.share"),
              isNumber: true,
              cell: ({ share }) => formatPercent(share, language),
            },
            {
              key: "amrs",
              header: t("details.amrs"),
              isNumber: true,
              cell: ({ amrs }) => formatNumber(amrs, language, 3),
            },
            {
              key: "reason",
              header: t("details.reason"),
              isProse: true,
              cell: ({ reason, reason_told: told }) =>
                reason === null ? "" : <Said sentence={reason} told={told} />,
            },
          ]}
        />
        <List>
          {facts.map((fact) => (
            <List.Item key={fact}>{fact}</List.Item>
          ))}
        </List>
      </Stack>
    </details>
  );
}
