import { Text, Tooltip, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import { formatPercent, formatRate, type RateFigures } from "../../lib/format";
import classes from "./rate-text.module.css";

interface RateTextProps {
  rate: RateFigures & { method?: string };
  /** The rate's name, for those who do not see where it stands. */
  name: string;
  /** What is above and below the line, in words. */
  howCounted: string;
}

/** "21 % ± 4, 83 of 398"; how it is counted shows on hover, focus or touch. "–" without data. */
export function RateText({ rate, name, howCounted }: RateTextProps) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const language = i18n.language;
  const digits = rate.whole >= 1000 ? 1 : 0;
  const interval =
    rate.low === null || rate.high === null
      ? ""
      : t("rate.interval", {
          low: formatPercent(rate.low, language, digits + 1),
          high: formatPercent(rate.high, language, digits + 1),
          method: rate.method ?? "",
        });
  const explanation = [rate.value === null ? t("rate.none") : "", howCounted, interval]
    .filter((sentence) => sentence !== "")
    .join(" ");
  const counts = t("rate.of", { part: rate.part, whole: rate.whole });
  return (
    <Tooltip
      label={explanation}
      multiline
      maw={320}
      events={{ hover: true, focus: true, touch: true }}
    >
      <UnstyledButton className={classes.rate} aria-describedby={id}>
        <VisuallyHidden>{name}: </VisuallyHidden>
        <span className={classes.whole}>
          {formatRate(rate, language, t("rate.to"))}
          {rate.value === null ? "" : ","}
        </span>
        {rate.value !== null && (
          <Text span inherit c="dimmed">
            {" "}
            <span className={classes.whole}>{counts}</span>
          </Text>
        )}
        <VisuallyHidden id={id}>{explanation}</VisuallyHidden>
      </UnstyledButton>
    </Tooltip>
  );
}
