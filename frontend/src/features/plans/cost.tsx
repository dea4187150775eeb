import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { formatNumber, formatPercent } from "../../lib/format";
import type { Plan } from "./queries";

const WIDTHS = [0.02, 0.05, 0.1, 0.15, 0.2];

interface CostProps {
  budget: Plan["budget"];
  onWidth: (width: number) => void;
  /** Closes the round after so many attempts. */
  onTake: (attempts: number) => void;
}

/** What the round costs for an interval of some width: people, and how much each of them writes. */
export function Cost({ budget, onWidth, onTake }: CostProps) {
  const { t, i18n } = useTranslation("plans");
  const widths = [...new Set([...WIDTHS, budget.width])].toSorted((one, other) => one - other);
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t("cost.width")}
        value={String(budget.width)}
        onChange={(event) => onWidth(Number(event.currentTarget.value))}
        data={widths.map((value) => ({
          value: String(value),
          label: t("cost.points", { points: formatNumber(value * 100, i18n.language, 0) }),
        }))}
      />
      <People budget={budget} />
      {budget.attempts !== null && <Take attempts={budget.attempts} onTake={onTake} />}
    </Stack>
  );
}

/** How many people that takes, or the least of attempts and why no more is known. */
function People({ budget }: { budget: Plan["budget"] }) {
  const { t, i18n } = useTranslation("plans");
  const number = (value: number | null, digits = 0) => formatNumber(value, i18n.language, digits);
  const rate = formatPercent(budget.expected_rate, i18n.language, 1);
  if (budget.people === null) {
    return (
      <Text>
        {budget.reason !== null && t(`cost.why.${budget.reason}`)}{" "}
        {t("cost.least", { count: budget.least_attempts })}{" "}
        {budget.is_rate_known ? t("cost.byRate", { rate }) : t("cost.unknown")}
      </Text>
    );
  }
  const tries = number(budget.tries_each);
  const attempts = number(budget.attempts);
  return (
    <Text>
      {t("cost.people", { count: budget.people, tries, attempts })} {t("cost.median")}{" "}
      {t("cost.byLast", { rate, likeness: number(budget.likeness, 2) })}{" "}
      {budget.validated_fooling !== null && t("cost.fooling", { count: budget.validated_fooling })}{" "}
      {budget.days !== null && t("cost.days", { count: budget.days })}
    </Text>
  );
}

function Take({ attempts, onTake }: { attempts: number; onTake: CostProps["onTake"] }) {
  const { t } = useTranslation("plans");
  return (
    <div>
      <Button variant="default" onClick={() => onTake(attempts)}>
        {t("cost.take", { count: attempts })}
      </Button>
    </div>
  );
}
