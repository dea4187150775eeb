import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { FieldValues } from "../../components/ui/fields/field-values";
import { Section } from "../../components/ui/section";
import { Failed } from "../../components/ui/states";
import { formatDate } from "../../lib/format";
import type { DrawnField } from "../../lib/task-config";
import { errataQuery } from "./archive-queries";
import classes from "./datasets.module.css";
import type { DatasetVersion } from "./queries";

interface ErrataListProps {
  version: DatasetVersion;
  /** What an item shows. */
  shown: readonly DrawnField[];
}

/** The answers of a dataset that experts found wrong; nothing where nobody has looked. */
export function ErrataList({ version, shown }: ErrataListProps) {
  const { t, i18n } = useTranslation("datasets");
  const { data, error, refetch } = useQuery(errataQuery(version.id));
  if (error !== null) {
    return (
      <Section title={t("errata.title")}>
        <Failed title={t("errata.failed")} error={error} onRetry={() => void refetch()} />
      </Section>
    );
  }
  if (data === undefined || data.wrong + data.right === 0) return null;
  const { items, wrong, right } = data;
  return (
    <Section title={t("errata.title")}>
      <Text>{t("errata.looked", { count: wrong, all: wrong + right })}</Text>
      {wrong > 0 && <Text size="sm">{t("errata.stays")}</Text>}
      <ul className={classes.list} aria-label={t("errata.title")}>
        {items.map(({ item, found_at: found }) => (
          <li key={item.uid} className={classes.row}>
            <FieldValues fields={shown} values={{ ...item.context, ...item.inputs }} size="sm" />
            <Text size="sm" mt={4}>
              {t("errata.found", { date: formatDate(found, i18n.language) })} ·{" "}
              {t("errata.where", { split: item.split })} <code>{item.uid}</code>
            </Text>
          </li>
        ))}
      </ul>
      {data.withheld > 0 && (
        <Text size="sm" c="dimmed">
          {t("errata.withheld", { count: data.withheld })}
        </Text>
      )}
      {wrong - data.withheld > items.length && (
        <Text size="sm" c="dimmed">
          {t("errata.more", { count: items.length, all: wrong - data.withheld })}
        </Text>
      )}
    </Section>
  );
}
