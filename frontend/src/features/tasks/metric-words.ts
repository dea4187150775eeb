import type { FieldValues } from "../../lib/task-config";

/** Whether a task ranks models by which of their replies people choose. */
export function comparesReplies(config: FieldValues): boolean {
  const metrics: unknown = config.perf_metrics;
  return (
    Array.isArray(metrics) &&
    metrics.some((one: unknown) => (one as { type?: unknown } | null)?.type === "preference")
  );
}
