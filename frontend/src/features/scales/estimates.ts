import { useTranslation } from "react-i18next";

import { formatNumber } from "../../lib/format";
import type { Estimate } from "./queries";

/** Writes a number with its interval: "0.42 (0.10 to 0.74)"; "–" is no data. */
export function useEstimate(digits: number) {
  const { t, i18n } = useTranslation("scales");
  const write = (value: number | null) => formatNumber(value, i18n.language, digits);
  return (estimate: Estimate | null): string => {
    if (estimate === null) return write(null);
    const { value, low, high } = estimate;
    if (low === null || high === null) return write(value);
    return t("interval", { value: write(value), low: write(low), high: write(high) });
  };
}
