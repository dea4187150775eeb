import { NativeSelect, Stack, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { FieldValues } from "../../components/ui/fields/field-values";
import { MoreButton } from "../../components/ui/more-button";
import { Empty, Failed, Loading } from "../../components/ui/states";
import type { DrawnField } from "../../lib/task-config";
import classes from "./contexts.module.css";
import { type Context, contextListQuery, contextTagsQuery, useRetireContext } from "./queries";

interface ContextListProps {
  slug: string;
  fields: readonly DrawnField[];
}

/** A task's contexts by tag, page by page. */
export function ContextList({ slug, fields }: ContextListProps) {
  const { t } = useTranslation(["contexts", "ui"]);
  const [tag, setTag] = useState<string | null>(null);
  const tags = useQuery(contextTagsQuery(slug));
  const contexts = useInfiniteQuery(contextListQuery(slug, tag));
  const found = contexts.data?.pages.flatMap(({ items }) => items);
  const all = tags.data?.reduce((sum, one) => sum + one.contexts, 0) ?? 0;
  const options = (tags.data ?? []).map((one) => ({
    value: one.tag,
    label: t("list.tag", { tag: one.tag === "" ? t("list.noTag") : one.tag, count: one.contexts }),
  }));
  if (found === undefined) {
    if (!contexts.isError) return <Loading lines={6} />;
    return <Failed error={contexts.error} onRetry={() => void contexts.refetch()} />;
  }
  if (found.length === 0 && tag === null) {
    return <Empty title={t("list.none")}>{t("list.noneNext")}</Empty>;
  }
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t("list.filter")}
        data={[{ value: "", label: t("list.all", { count: all }) }, ...options]}
        value={tag ?? ""}
        onChange={(event) => setTag(event.currentTarget.value || null)}
        maw={320}
      />
      <ul className={classes.list}>
        {found.map((context) => (
          <ContextRow key={context.id} context={context} fields={fields} />
        ))}
      </ul>
      <MoreButton list={contexts}>{t("list.more")}</MoreButton>
    </Stack>
  );
}

function ContextRow({ context, fields }: { context: Context; fields: readonly DrawnField[] }) {
  const { t } = useTranslation("contexts");
  const retire = useRetireContext();
  return (
    <li className={classes.row}>
      <div>
        <FieldValues fields={fields} values={context.content} size="sm" />
        <Text size="sm" c="dimmed" mt={4}>
          {context.tag === "" ? t("list.noTag") : context.tag}
        </Text>
      </div>
      <div>
        <ConfirmButton
          size="compact-sm"
          consequence={t("retireWill")}
          onConfirm={() => retire.mutateAsync(context.id)}
        >
          {t("retire")}
        </ConfirmButton>
      </div>
    </li>
  );
}
