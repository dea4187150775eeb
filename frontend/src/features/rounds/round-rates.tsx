import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { RateText } from "../../components/ui/rate-text";
import { formatPercent } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import type { ErrorRate } from "./queries";
import classes from "./rounds.module.css";

/** MER and vMER with what still waits, so that a low vMER is not taken for a strong model. */
export function RoundRates({ rates }: { rates: ErrorRate }) {
  const { t, i18n } = useTranslation("rounds");
  const macro = (value: number | null) =>
    rates.annotators === null || rates.annotators === 0
      ? null
      : t("rates.macro", { rate: formatPercent(value, i18n.language), count: rates.annotators });
  const aside = (["undecided", "disputed", "retracted", "flagged"] as const)
    .filter((what) => rates[what] > 0)
    .map((what) => t(`rates.${what}`, { count: rates[what] }));
  return (
    <div className={classes.rates}>
      <div>
        <Text c="dimmed">{t("rates.validated")}</Text>
        <Text component="div" className={classes.rate}>
          <RateText
            name={t("rates.validated")}
            rate={rates.validated_model_error_rate}
            howCounted={t("rates.howValidated")}
          />
        </Text>
        <Text size="sm" c="dimmed">
          {macro(rates.macro_validated_model_error_rate)}
        </Text>
        {rates.pending > 0 && <Text size="sm">{t("rates.pending", { count: rates.pending })}</Text>}
      </div>
      <div>
        <Text c="dimmed">{t("rates.fooled")}</Text>
        <Text component="div" className={classes.rate}>
          <RateText
            name={t("rates.fooled")}
            rate={rates.model_error_rate}
            howCounted={t("rates.howFooled")}
          />
        </Text>
        <Text size="sm" c="dimmed">
          {macro(rates.macro_model_error_rate)}
        </Text>
      </div>
      {aside.length > 0 && (
        <Text size="sm" c="dimmed" className={classes.aside}>
          {t("rates.aside", { list: aside.join(", ") })}
        </Text>
      )}
      {rates.reason !== null && (
        <Text size="sm" c="dimmed" className={classes.aside}>
          {saidOf(rates.reason, rates.reason_told)}
        </Text>
      )}
    </div>
  );
}
