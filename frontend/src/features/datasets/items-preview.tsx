import { NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { FieldValues } from "../../components/ui/fields/field-values";
import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import type { DrawnField } from "../../lib/task-config";
import { valueInWords } from "../../lib/value-words";
import classes from "./datasets.module.css";
import { PageTurner } from "./page-turner";
import { type DatasetVersion, itemsQuery, SHOWN_AT_ONCE, type Split } from "./queries";
import { SPLITS } from "./upload-fields";

interface ItemsPreviewProps {
  version: DatasetVersion;
  /** What an item shows, and its right answer's fields. */
  shown: readonly DrawnField[];
  gold: readonly DrawnField[];
}

/** The items of a split, some at a time, each with its right answer. */
export function ItemsPreview({ version, shown, gold }: ItemsPreviewProps) {
  const { t } = useTranslation("datasets");
  const filled = SPLITS.filter((split) =>
    version.splits.some((one) => one.split === split && one.items > 0),
  );
  const [split, setSplit] = useState<Split>(filled[0] ?? "test");
  const [after, setAfter] = useState(-1);
  const items = useQuery(itemsQuery(version.id, split, after));
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t("items.split")}
        data={filled.map((one) => ({ value: one, label: one }))}
        value={split}
        onChange={(event) => {
          setSplit(event.currentTarget.value as Split);
          setAfter(-1);
        }}
        maw={200}
      />
      <QueryView
        query={items}
        isEmpty={(found) => found.length === 0}
        empty={<Text c="dimmed">{t("items.none")}</Text>}
      >
        {(found) => (
          <>
            <ul className={classes.list} aria-label={t("items.label", { split })}>
              {found.slice(0, SHOWN_AT_ONCE).map((item) => (
                <li key={item.uid} className={classes.row}>
                  <FieldValues
                    fields={shown}
                    values={{ ...item.context, ...item.inputs }}
                    size="sm"
                  />
                  <Gold item={item} fields={gold} />
                </li>
              ))}
            </ul>
            <PageTurner after={after} first={-1} found={found.length} onTurn={setAfter} />
          </>
        )}
      </QueryView>
    </Stack>
  );
}

interface GoldProps {
  item: Schemas["DatasetItemRead"];
  fields: readonly DrawnField[];
}

function Gold({ item, fields }: GoldProps) {
  const { t } = useTranslation("datasets");
  const { gold } = item;
  if (gold === null) return null;
  const said = fields.map((field) => inWords(gold[field.name], field)).join("; ");
  return (
    <Text size="sm" mt={4}>
      {t("items.gold", { gold: said })}
      {item.tags.length > 0 && ` · ${t("items.tags", { tags: item.tags.join(", ") })}`}
    </Text>
  );
}

/** An answer in words; several acceptable ones one after the other. */
function inWords(value: unknown, field: DrawnField): string {
  if (!Array.isArray(value)) return valueInWords(value, field) ?? "–";
  const isSet = field.type === "multilabel" || field.type === "spans";
  const isOne = isSet && !(value.length > 0 && value.every((one) => Array.isArray(one)));
  if (isOne) return valueInWords(value, field) ?? "–";
  return value.map((one) => valueInWords(one, field) ?? "–").join(" / ");
}
