import type { TFunction } from "i18next";

import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";

type Paired = Schemas["PairedRead"];

const ALPHA = 0.05;

/** Whether the difference is more than chance explains, by the test that takes contexts together. */
export function isTold({ p_value, mcnemar }: Paired): boolean {
  return (p_value ?? mcnemar?.p_value ?? 1) < ALPHA;
}

/** Which of two models is better, in a sentence that claims no more than the test says. */
export function verdictWords(
  paired: Paired,
  names: { left: string; right: string },
  language: string,
  t: TFunction<"evaluations">,
): string {
  const points = formatNumber(Math.abs(paired.difference), language, 1);
  if (paired.difference === 0) return t("compare.same", { items: paired.items });
  const isLeft = paired.difference > 0;
  const better = isLeft ? names.left : names.right;
  const other = isLeft ? names.right : names.left;
  return isTold(paired)
    ? t("compare.better", { better, other, points })
    : t("compare.maybe", { better, points });
}
