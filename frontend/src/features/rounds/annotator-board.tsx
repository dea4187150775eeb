import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { AnchorLink } from "../../components/ui/links";
import { Empty } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { formatPercent } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";

/** Who fooled the model in a round: validated fooling examples first, pending ones apart. */
export function AnnotatorBoard({ board }: { board: Schemas["AnnotatorBoardRead"] }) {
  const { t, i18n } = useTranslation("rounds");
  if (board.rows.length === 0) {
    return (
      <Empty
        title={board.reason === null ? t("board.none") : saidOf(board.reason, board.reason_told)}
      />
    );
  }
  return (
    <DataTable
      caption={t("board.caption")}
      rows={board.rows}
      rowKey={({ username }) => username}
      columns={[
        {
          key: "who",
          header: t("board.who"),
          cell: ({ username }) => (
            <AnchorLink to="/users/$username" params={{ username }}>
              {username}
            </AnchorLink>
          ),
        },
        {
          key: "verified",
          header: t("board.verified"),
          isNumber: true,
          cell: (row) => row.verified_fooled,
          sortBy: (row) => row.verified_fooled,
        },
        {
          key: "pending",
          header: t("board.pending"),
          isNumber: true,
          cell: (row) => row.pending,
          sortBy: (row) => row.pending,
        },
        {
          key: "fooled",
          header: t("board.fooled"),
          isNumber: true,
          cell: (row) => row.fooled,
          sortBy: (row) => row.fooled,
        },
        {
          key: "collected",
          header: t("board.collected"),
          isNumber: true,
          cell: (row) => row.collected,
          sortBy: (row) => row.collected,
        },
        {
          key: "rate",
          header: t("board.rate"),
          isNumber: true,
          cell: (row) => formatPercent(row.validated_model_error_rate.value, i18n.language),
          sortBy: (row) => row.validated_model_error_rate.value,
        },
      ]}
    />
  );
}
