import type { TFunction } from "i18next";

import type { FieldValues } from "../../lib/task-config";

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

/** What people call a metric, and which way it is better where that is not upwards. */
export function metricTitle(metric: string, t: TFunction<"tasks">): string {
  const known = TITLED.find((name) => name === metric);
  return known === undefined ? metric.replaceAll("_", " ") : t(`metrics.${known}`);
}

/** Whether a task ranks models by which of their replies people choose. */
export function comparesReplies(config: FieldValues): boolean {
  const metrics: unknown = config.perf_metrics;
  return (
    Array.isArray(metrics) &&
    metrics.some((one: unknown) => (one as { type?: unknown } | null)?.type === "preference")
  );
}
