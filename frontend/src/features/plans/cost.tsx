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

/** What the round costs for an interval of some width, by what the last one did. */
export function Cost({ budget, onWidth, onTake }: CostProps) {
  const { t, i18n } = useTranslation("plans");
  const percent = (value: number) => formatPercent(value, i18n.language, 1);
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
      <Text>
        {t("cost.attempts", { count: budget.attempts })}{" "}
        {budget.is_rate_known
          ? t("cost.byLast", { rate: percent(budget.expected_rate) })
          : t("cost.unknown")}{" "}
        {budget.validated_fooling !== null &&
          t("cost.fooling", { count: budget.validated_fooling })}{" "}
        {budget.days !== null && t("cost.days", { count: budget.days })}
      </Text>
      <div>
        <Button variant="default" onClick={() => onTake(budget.attempts)}>
          {t("cost.take", { count: budget.attempts })}
        </Button>
      </div>
    </Stack>
  );
}
