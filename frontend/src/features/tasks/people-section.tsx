import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { RateText } from "../../components/ui/rate-text";
import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import { agreementQuery, annotatorsQuery } from "./queries";

type Row = Schemas["AnnotatorRow"];

/** Who wrote in a round, and how far those who judged it agree. */
export function PeopleSection({ round }: { round: Schemas["RoundRead"] }) {
  const { t } = useTranslation("tasks");
  const annotators = useQuery(annotatorsQuery(round.id));
  const agreement = useQuery(agreementQuery(round.id));
  return (
    <Stack gap="md">
      <QueryView query={annotators}>
        {({ rows, reason, reason_told: told }) =>
          rows.length === 0 ? (
            <Text c="dimmed">{reason === null ? t("people.none") : saidOf(reason, told)}</Text>
          ) : (
            <Board rows={rows} number={round.number} />
          )
        }
      </QueryView>
      <div>
        <Title order={3} size="h5" mb={8}>
          {t("people.agreement")}
        </Title>
        <QueryView query={agreement}>{(found) => <Agreement found={found} />}</QueryView>
      </div>
    </Stack>
  );
}

function Board({ rows, number }: { rows: readonly Row[]; number: number }) {
  const { t } = useTranslation("tasks");
  const counts = [
    ["collected", t("people.collected")],
    ["fooled", t("people.fooled")],
    ["pending", t("people.pending")],
  ] as const;
  const isAnyWaiting = rows.some(({ pending }) => pending > 0);
  return (
    <DataTable
      caption={t("people.caption", { number })}
      rows={rows}
      rowKey={({ username }) => username}
      columns={[
        {
          key: "name",
          header: t("people.name"),
          cell: ({ username }) => (
            <Anchor component={Link} to={`/users/${username}`}>
              {username}
            </Anchor>
          ),
          sortBy: ({ username }) => username,
        },
        ...counts
          .filter(([key]) => key !== "pending" || isAnyWaiting)
          .map(([key, header]) => ({
            key,
            header,
            isNumber: true,
            cell: (row: Row) => row[key],
            sortBy: (row: Row) => row[key],
          })),
        {
          key: "vmer",
          header: t("rates.vmer"),
          isNumber: true,
          cell: (row) => (
            <RateText
              rate={row.validated_model_error_rate}
              name={t("rates.vmer")}
              howCounted={t("rates.vmerCounted", { count: row.pending })}
            />
          ),
          sortBy: (row) => row.validated_model_error_rate.value,
        },
      ]}
    />
  );
}

function Agreement({ found }: { found: Schemas["AgreementRead"] }) {
  const { t, i18n } = useTranslation("tasks");
  if (found.krippendorff_alpha === null && found.fleiss_kappa === null) {
    return <Text c="dimmed">{saidOf(found.reason ?? "", found.reason_told)}</Text>;
  }
  return (
    <Stack gap={4}>
      <Text>
        {t("people.alpha", {
          alpha: formatNumber(found.krippendorff_alpha, i18n.language, 2),
          kappa: formatNumber(found.fleiss_kappa, i18n.language, 2),
          votes: found.votes,
          examples: found.examples,
        })}
      </Text>
      <Text component="div">
        {t("people.unanimous")}:{" "}
        <RateText
          rate={found.unanimous}
          name={t("people.unanimous")}
          howCounted={t("people.unanimousCounted")}
        />
      </Text>
      {found.reason !== null && <Text c="dimmed">{saidOf(found.reason, found.reason_told)}</Text>}
    </Stack>
  );
}
