import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { DatasetVersion } from "./queries";

/** Where a release of a replayed round comes from; nothing for what was written here. */
export function Provenance({ card }: { card: DatasetVersion["card"] }) {
  const { t } = useTranslation("datasets");
  const { provenance } = card;
  if (typeof provenance !== "object" || provenance === null) return null;
  const { title, source, licence } = provenance as Record<string, unknown>;
  const told = [title, source, licence].filter((part) => typeof part === "string");
  return <Text size="sm">{t("desk.elsewhere", { source: told.join(" · ") })}</Text>;
}
