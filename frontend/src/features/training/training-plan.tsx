import { List, Stack, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { useProblemText } from "../../components/ui/problem-text";
import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";

/** What the form as it stands would learn from, counted by the server. */
export function TrainingPlan({ plan }: { plan: UseQueryResult<Schemas["TrainingPlanRead"]> }) {
  const { t, i18n } = useTranslation("training");
  const problem = useProblemText(plan.error);
  if (plan.error !== null) {
    return (
      <Text role="status" size="sm" c="var(--db-bad)" lang={problem.lang}>
        {problem.sentence}
      </Text>
    );
  }
  const { data } = plan;
  return (
    <Stack gap={4} role="status">
      <Text fw={600}>
        {data === undefined
          ? t("plan.counting")
          : t("plan.examples", {
              count: data.examples,
              examples: formatNumber(data.examples, i18n.language),
            })}
      </Text>
      {typeof data?.problem_code === "string" && (
        <Text size="sm" c="var(--db-bad)">
          {t(`plan.problem.${data.problem_code}`, {
            items: formatNumber(data.items, i18n.language),
            most: formatNumber(data.most_items, i18n.language),
          })}
        </Text>
      )}
      {data !== undefined && data.parts.length > 0 && (
        <List size="sm">
          {data.parts.map((part) => (
            <List.Item key={part.dataset_version_id ?? "starter"}>
              <Part part={part} />
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

function Part({ part }: { part: Schemas["TrainingPartRead"] }) {
  const { t, i18n } = useTranslation("training");
  const written = (count: number) => formatNumber(count, i18n.language);
  const name =
    part.dataset_version_id === null
      ? t("data.starterName")
      : part.round_number === null
        ? part.name
        : t("plan.round", { round: part.round_number });
  const said = t(part.weight === 1 ? "plan.part" : "plan.weighted", {
    name,
    examples: written(part.examples),
    items: written(part.items),
    weight: part.weight,
  });
  const leftOut = part.left_out > 0 ? t("plan.leftOut", { count: part.left_out }) : "";
  return `${said} ${leftOut}`.trim();
}
