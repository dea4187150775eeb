import { useTranslation } from "react-i18next";

const TITLED = [
  "accuracy",
  "macro_f1",
  "squad_f1",
  "exact_match",
  "bleu",
  "sp_bleu",
  "chrf",
  "chrf_pp",
  "vqa_accuracy",
  "matthews",
  "wer",
] as const;

/** What people call a metric; one that no page knows goes by its own name. */
export function useMetricTitle(): (metric: string) => string {
  const { t } = useTranslation("tasks");
  return (metric) => {
    const known = TITLED.find((name) => name === metric);
    return known === undefined ? metric.replaceAll("_", " ") : t(`metrics.${known}`);
  };
}
