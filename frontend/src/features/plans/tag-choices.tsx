import { Checkbox, List, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import type { Plan } from "./queries";

type Tag = Plan["contexts"]["tags"][number];

interface TagChoicesProps {
  contexts: Plan["contexts"];
  onChoose: (tags: string[]) => void;
  /** Where new contexts are uploaded. */
  upload: ReactNode;
}

/** What the round draws from: tags with what was written on before, and what leaks. */
export function TagChoices({ contexts, onChoose, upload }: TagChoicesProps) {
  const { t } = useTranslation("plans");
  const { tags, leaks } = contexts;
  const drawn = tags.filter(({ is_drawn }) => is_drawn).map(({ tag }) => tag);
  const toggle = (tag: string) =>
    onChoose(drawn.includes(tag) ? drawn.filter((one) => one !== tag) : [...drawn, tag]);
  const columns: Column<Tag>[] = [
    {
      key: "tag",
      header: t("contexts.tag"),
      cell: ({ tag, is_drawn }) => (
        <Checkbox
          label={tag === "" ? t("contexts.untagged") : tag}
          checked={is_drawn}
          onChange={() => toggle(tag)}
        />
      ),
    },
    { key: "all", header: t("contexts.all"), isNumber: true, cell: (row) => row.contexts },
    { key: "used", header: t("contexts.used"), isNumber: true, cell: (row) => row.used },
    { key: "never", header: t("contexts.never"), isNumber: true, cell: (row) => row.never_used },
    { key: "people", header: t("contexts.people"), isNumber: true, cell: (row) => row.annotators },
  ];
  return (
    <Stack gap="sm">
      <DataTable
        caption={t("contexts.caption")}
        columns={columns}
        rows={tags}
        rowKey={({ tag }) => tag}
      />
      <Text>
        {t("contexts.same", { same: leaks.same, drawn: leaks.drawn })}{" "}
        {t("contexts.near", {
          near: leaks.near,
          sampled: leaks.sampled,
          compared: leaks.compared,
        })}
      </Text>
      {leaks.examples.length > 0 && (
        <List spacing="xs" size="sm">
          {leaks.examples.map(({ context, released }) => (
            <List.Item key={context}>
              <bdi>“{context}”</bdi> · <bdi>“{released}”</bdi>
            </List.Item>
          ))}
        </List>
      )}
      {upload}
    </Stack>
  );
}
