import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { RateText } from "../../components/ui/rate-text";
import { Section } from "../../components/ui/section";
import type { Schemas } from "../../lib/api-client";
import { formatDuration } from "../../lib/format";
import { armsQuery, type Round } from "./queries";

type Arm = Schemas["ArmRead"];

/** The control arms of a round beside its targets; nothing where it has none, or not yet. */
export function ArmTable({ round }: { round: Round }) {
  const { t } = useTranslation("rounds");
  const { no_model_share: hidden, earlier_share: earlier } = round.controls;
  const { data } = useQuery({ ...armsQuery(round.id), enabled: hidden + earlier > 0 });
  if (data === undefined || data.length === 0) return null;
  const columns: Column<Arm>[] = [
    { key: "arm", header: t("arms.arm"), cell: ({ arm }) => t(`arms.${arm}`) },
    { key: "collected", header: t("days.collected"), isNumber: true, cell: (row) => row.collected },
    {
      key: "validated",
      header: t("board.rate"),
      cell: (row) => (
        <RateText
          name={t("rates.validated")}
          rate={row.validated_model_error_rate}
          howCounted={t("rates.howValidated")}
        />
      ),
    },
    {
      key: "fooled",
      header: t("arms.fooled"),
      cell: (row) => (
        <RateText
          name={t("rates.fooled")}
          rate={row.model_error_rate}
          howCounted={t("rates.howFooled")}
        />
      ),
    },
    {
      key: "time",
      header: t("arms.time"),
      isNumber: true,
      cell: ({ seconds_per_verified_fooled: seconds }) =>
        seconds === null ? "–" : formatDuration(seconds),
    },
  ];
  return (
    <Section title={t("arms.title")}>
      <DataTable
        caption={t("arms.caption")}
        columns={columns}
        rows={data}
        rowKey={({ arm }) => arm}
      />
    </Section>
  );
}
