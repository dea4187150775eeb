import { NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { QueryView } from "../../components/ui/states";
import { FigureCell } from "./figure-cell";
import { ModelName } from "./model-name";
import { type Board, boardTagsQuery } from "./queries";

interface TagViewProps {
  board: Board;
  dataset: string | undefined;
  onChoose: (dataset: string) => void;
}

/** The principal metric per tag of one dataset: where each model is weak. */
export function TagView({ board, dataset, onChoose }: TagViewProps) {
  const { t } = useTranslation("boards");
  const tags = useQuery(boardTagsQuery(board.task_slug, dataset));
  const versions = board.datasets.flatMap(({ members }) => members);
  return (
    <QueryView
      query={tags}
      isEmpty={(found) => found.dataset_version_id === null}
      empty={<Text c="dimmed">{t("tags.none")}</Text>}
    >
      {(found) => (
        <Stack gap="sm">
          <NativeSelect
            label={t("tags.dataset")}
            value={found.dataset_version_id ?? ""}
            onChange={({ target }) => onChoose(target.value)}
            data={versions.map(({ version_id: value, name, version }) => ({
              value,
              label: t("model.name", { name, version }),
            }))}
            maw="20rem"
          />
          {found.tags.length === 0 ? (
            <Text c="dimmed">{t("tags.noneHere", { name: found.dataset_name })}</Text>
          ) : (
            <DataTable
              caption={t("tags.caption", { metric: found.metric.replaceAll("_", " ") })}
              rows={found.rows}
              rowKey={({ model }) => model.id}
              columns={[
                {
                  key: "model",
                  header: t("table.model"),
                  cell: ({ model }) => <ModelName slug={board.task_slug} model={model} />,
                  sortBy: ({ model }) => model.name,
                },
                ...found.tags.map((tag, place) => ({
                  key: tag,
                  header: tag,
                  isNumber: true,
                  cell: ({ figures }: (typeof found.rows)[number]) => (
                    <FigureCell figure={figures[place]} unit="points" />
                  ),
                  sortBy: ({ figures }: (typeof found.rows)[number]) =>
                    figures[place]?.value ?? null,
                })),
              ]}
            />
          )}
        </Stack>
      )}
    </QueryView>
  );
}
