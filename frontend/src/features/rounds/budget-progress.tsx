import { Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { formatNumber } from "../../lib/format";
import { armsQuery, type ErrorRate, type Round } from "./queries";

const DAY_MS = 86_400_000;

interface BudgetProgressProps {
  round: Round;
  rates: ErrorRate;
}

interface Limit {
  key: "examples" | "validated_fooling" | "days";
  used: number;
  most: number;
}

function limitsOf(round: Round, rates: ErrorRate, collected: number, now: number): Limit[] {
  const { examples, validated_fooling, days } = round.budget;
  const opened = beginOf(round);
  const limits: Limit[] = [];
  if (examples != null) limits.push({ key: "examples", used: collected, most: examples });
  if (validated_fooling != null) {
    limits.push({ key: "validated_fooling", used: rates.verified_fooled, most: validated_fooling });
  }
  if (days != null && opened !== null) {
    limits.push({ key: "days", used: Math.max(0, (now - opened) / DAY_MS), most: days });
  }
  return limits;
}

/** When a round took its first examples, in milliseconds: its days count from there. */
function beginOf({ opened_at, schedule }: Round): number | null {
  if (opened_at === null) return null;
  const opened = new Date(opened_at).getTime();
  return Math.max(opened, schedule.opens_at == null ? opened : Date.parse(schedule.opens_at));
}

/** How much of a round's budget is used; when it will be spent is among the live numbers. */
export function BudgetProgress({ round, rates }: BudgetProgressProps) {
  const { t, i18n } = useTranslation("rounds");
  const [now] = useState(() => Date.now());
  const { no_model_share: hidden, earlier_share: earlier } = round.controls;
  // The rates count the targets alone, the budget every attempt.
  const { data: arms } = useQuery({ ...armsQuery(round.id), enabled: hidden + earlier > 0 });
  const controls = (arms ?? []).filter(({ arm }) => arm !== "target");
  const collected = controls.reduce((sum, arm) => sum + arm.collected, rates.collected);
  const limits = limitsOf(round, rates, collected, now);
  if (limits.length === 0) {
    const isOver = round.status === "closed" || round.status === "released";
    return <Text>{isOver ? t("budget.over") : t("budget.none")}</Text>;
  }
  return (
    <Stack gap="xs">
      {limits.map(({ key, used, most }) => {
        const figures = {
          used: formatNumber(Math.floor(used), i18n.language),
          most: formatNumber(most, i18n.language),
        };
        const words = t(`budget.${key}`, figures);
        return (
          <div key={key}>
            <Text size="sm">{words}</Text>
            <Progress size={6} value={Math.min(100, (100 * used) / most)} aria-label={words} />
          </div>
        );
      })}
    </Stack>
  );
}
