import type { TFunction } from "i18next";

import type { Schemas } from "../../lib/api-client";

/** "roberta v2", or "a v1, b v3": the targets of a round by name. */
export function targetNames(
  targets: readonly Schemas["TargetRead"][],
  t: TFunction<"tasks">,
): string {
  if (targets.length === 0) return t("round.noTarget");
  return targets.map(({ name, version }) => t("round.target", { name, version })).join(", ");
}
