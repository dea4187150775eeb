import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { formatNumber } from "../../lib/format";
import type { Candidate, Plan } from "./queries";

interface CandidateTableProps {
  plan: Plan;
  chosen: readonly string[];
  onChoose: (targets: string[]) => void;
}

/** Models that could be the target, the best on the last releases first. */
export function CandidateTable({ plan, chosen, onChoose }: CandidateTableProps) {
  const { t, i18n } = useTranslation("plans");
  const { suggestion } = plan;
  const number = (value: number | null, digits: number) =>
    formatNumber(value, i18n.language, digits);
  const toggle = (id: string) =>
    onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const isTaken =
    suggestion?.target_model_ids.length === chosen.length &&
    suggestion.target_model_ids.every((id) => chosen.includes(id));
  const columns: Column<Candidate>[] = [
    {
      key: "model",
      header: t("candidates.model"),
      cell: (row) => (
        <Checkbox
          label={`${row.name} v${row.version}`}
          checked={chosen.includes(row.model_id)}
          disabled={!row.is_published}
          description={row.is_published ? undefined : t("candidates.private")}
          onChange={() => toggle(row.model_id)}
        />
      ),
    },
    ...plan.releases.map(({ round_number }, place) => ({
      key: `round-${round_number}`,
      header: t("candidates.score", { number: round_number }),
      isNumber: true,
      cell: ({ scores }: Candidate) => scoreInWords(scores[place], number),
      sortBy: ({ scores }: Candidate) => scores[place]?.value ?? null,
    })),
    {
      key: "rank",
      header: t("candidates.rank"),
      cell: ({ rank }) => rankInWords(rank) ?? "–",
      sortBy: ({ rank }) => rank?.low ?? null,
    },
    {
      key: "speed",
      header: t("candidates.speed"),
      isNumber: true,
      cell: (row) => number(row.examples_per_second, 1),
      sortBy: (row) => row.examples_per_second,
    },
    {
      key: "was",
      header: t("candidates.was"),
      cell: ({ was_target_of: rounds }) => (rounds.length === 0 ? "–" : rounds.join(", ")),
    },
  ];
  return (
    <Stack gap="sm">
      {suggestion !== null && (
        <Group gap="xs">
          <Text>{suggestionInWords(suggestion, plan.candidates, t)}</Text>
          {!isTaken && (
            <Button variant="default" onClick={() => onChoose(suggestion.target_model_ids)}>
              {t("candidates.take")}
            </Button>
          )}
        </Group>
      )}
      <DataTable
        caption={t("candidates.caption")}
        columns={columns}
        rows={plan.candidates}
        rowKey={({ model_id }) => model_id}
      />
    </Stack>
  );
}

function rankInWords(rank: Candidate["rank"]): string | null {
  if (rank === null) return null;
  return rank.low === rank.high ? String(rank.low) : `${rank.low}–${rank.high}`;
}

/** Why the figures speak for these targets, in the page's language. */
function suggestionInWords(
  { code, is_repeated, target_model_ids: ids }: NonNullable<Plan["suggestion"]>,
  candidates: readonly Candidate[],
  t: ReturnType<typeof useTranslation<"plans">>["t"],
): string {
  const named = ids.flatMap((id) => {
    const found = candidates.find(({ model_id }) => model_id === id);
    if (found === undefined) return [];
    const name = `${found.name} v${found.version}`;
    const rank = code === "tied" ? rankInWords(found.rank) : null;
    return [rank === null ? name : t("suggestion.ranked", { name, rank })];
  });
  const why = t(`suggestion.${code}`, { models: named.join(", ") });
  return is_repeated ? `${why} ${t("suggestion.repeated", { count: ids.length })}` : why;
}

function scoreInWords(
  score: Candidate["scores"][number] | undefined,
  number: (value: number | null, digits: number) => string,
): string {
  if (score?.value === undefined || score.value === null) return "–";
  const { value, low, high } = score;
  const interval = low === null || high === null ? "" : ` (${number(low, 1)}–${number(high, 1)})`;
  return `${number(value, 1)}${interval}`;
}
