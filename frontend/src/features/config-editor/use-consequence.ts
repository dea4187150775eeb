import { useTranslation } from "react-i18next";

import type { Version } from "./queries";
import { changedSections } from "./sections";

/** What using a text will change, and the way back. */
export function useConsequence(active: Version, text: string): string {
  const { t } = useTranslation("config");
  const changed = changedSections(active.config, text);
  const what =
    changed.length === 0
      ? t("consequence.comments")
      : t("consequence.changes", { count: changed.length, sections: changed.join(", ") });
  return `${what} ${t("consequence.atOnce", { version: active.version })}`;
}
