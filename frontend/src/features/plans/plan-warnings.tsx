import { List, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { formatNumber, formatPercent } from "../../lib/format";
import classes from "./plans.module.css";
import type { Plan } from "./queries";

type Warning = Plan["warnings"][number];

/** The figures that decide between "one person" and "people". */
const COUNTED = new Set(["annotators", "contexts", "seconds"]);

/** What a change is told in: points of a rate, or the two decimals of an agreement. */
function figuresOf({ code, figures }: Warning, language: string): Record<string, string | number> {
  const shown = Object.entries(figures).map(([name, value]): [string, string | number] => {
    if (typeof value !== "number") return [name, value ?? "–"];
    if (name === "top_share") return [name, formatPercent(value, language)];
    if (COUNTED.has(name)) return ["count", Math.round(value)];
    if (["difference", "low", "high"].includes(name)) {
      return code === "stalled"
        ? [name, formatNumber(value * 100, language, 1)]
        : [name, formatNumber(value, language, 2)];
    }
    return [name, value];
  });
  return Object.fromEntries(shown);
}

/** What to look at before the round opens, each with what can be done about it. */
export function PlanWarnings({ warnings }: { warnings: readonly Warning[] }) {
  const { t, i18n } = useTranslation("plans");
  if (warnings.length === 0) return <Text>{t("warnings.none")}</Text>;
  return (
    <List className={classes.warnings} spacing="xs">
      {warnings.map((warning) => {
        const { code, figures } = warning;
        const shown = figuresOf(warning, i18n.language);
        return (
          <List.Item key={`${code} ${String(figures.target ?? "")}`}>
            <strong>{t(`warning.${code}.name`, shown)}</strong>{" "}
            {code === "no_new_contexts" && figures.contexts === 0
              ? t("warning.no_new_contexts.none")
              : t(`warning.${code}.sentence`, shown)}
          </List.Item>
        );
      })}
    </List>
  );
}
