import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { sizeInWords } from "../../lib/media-files";
import type { Allowance } from "./queries";

/** What may still be handed in today, before anything is filled in. */
export function AllowanceText({ allowance }: { allowance: Allowance }) {
  const { t, i18n } = useTranslation("submissions");
  const { per_day, passed, waiting, most_waiting, max_bytes } = allowance;
  const left = Math.max(0, per_day - passed - waiting);
  const isFull = waiting >= most_waiting;
  return (
    <Text c={left === 0 || isFull ? "var(--db-warning)" : "dimmed"}>
      {[
        t("allowance.left", { count: left, limit: per_day }),
        waiting > 0 ? t("allowance.waiting", { count: waiting, most: most_waiting }) : null,
        t("allowance.size", { size: sizeInWords(max_bytes, i18n.language) }),
      ]
        .filter((sentence) => sentence !== null)
        .join(" ")}
    </Text>
  );
}
