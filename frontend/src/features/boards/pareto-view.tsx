import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { Loading, QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import type { BoardAsked } from "./board-search";
import { FigureCell } from "./figure-cell";
import { metricHeader } from "./figures";
import { ModelName } from "./model-name";
import { ParetoPlot } from "./pareto-plot";
import { type Board, type MetricColumn, paretoQuery } from "./queries";

interface ParetoViewProps {
  board: Board;
  asked: BoardAsked;
  against: string | undefined;
  onChoose: (metric: string) => void;
}

/** Performance against one other metric: which models nobody beats in both. */
export function ParetoView({ board, asked, against, onChoose }: ParetoViewProps) {
  const { t } = useTranslation("boards");
  const others = board.metrics.filter(({ is_principal, has_data }) => !is_principal && has_data);
  const chosen =
    others.find(({ name }) => name === against) ??
    others.find(({ weight }) => weight > 0) ??
    others[0];
  if (chosen === undefined) return <Text c="dimmed">{t("pareto.nothing")}</Text>;
  return (
    <Stack gap="sm">
      <NativeSelect
        label={t("pareto.against")}
        value={chosen.name}
        onChange={({ target }) => onChoose(target.value)}
        data={others.map((column) => ({ value: column.name, label: metricHeader(column, t) }))}
        maw="20rem"
      />
      <Plotted board={board} asked={asked} chosen={chosen} />
    </Stack>
  );
}

interface PlottedProps {
  board: Board;
  asked: BoardAsked;
  chosen: MetricColumn;
}

function Plotted({ board, asked, chosen }: PlottedProps) {
  const { t } = useTranslation("boards");
  const pareto = useQuery(paretoQuery(board.task_slug, chosen.name, asked));
  return (
    <QueryView
      query={pareto}
      loading={<Loading lines={8} />}
      isEmpty={({ points }) => points.length === 0}
      empty={<Text c="dimmed">{t("pareto.nothing")}</Text>}
    >
      {(found) => <PlotOrTable board={board} pareto={found} chosen={chosen} />}
    </QueryView>
  );
}

interface PlotOrTableProps {
  board: Board;
  pareto: Schemas["ParetoRead"];
  chosen: MetricColumn;
}

function PlotOrTable({ board, pareto, chosen }: PlotOrTableProps) {
  const { t } = useTranslation(["boards", "ui"]);
  const [isTable, setTable] = useState(false);
  const principal = board.metrics.find(({ is_principal }) => is_principal);
  const titles = [
    chosen.is_lower_better
      ? t("pareto.lower", { title: metricHeader(chosen, t) })
      : metricHeader(chosen, t),
    principal === undefined ? pareto.performance : metricHeader(principal, t),
  ] as const;
  return (
    <>
      <Group justify="space-between">
        <Text>{t("pareto.front")}</Text>
        <Button size="compact-sm" variant="default" onClick={() => setTable(!isTable)}>
          {isTable ? t("trend.asChart", { ns: "ui" }) : t("trend.asTable", { ns: "ui" })}
        </Button>
      </Group>
      {isTable ? (
        <DataTable
          caption={t("pareto.caption")}
          rows={pareto.points}
          rowKey={({ model }) => model.id}
          columns={[
            {
              key: "model",
              header: t("table.model"),
              cell: ({ model }) => <ModelName slug={board.task_slug} model={model} />,
              sortBy: ({ model }) => model.name,
            },
            {
              key: "performance",
              header: titles[1],
              isNumber: true,
              cell: ({ performance }) => <FigureCell figure={performance} unit="points" />,
              sortBy: ({ performance }) => performance.value,
            },
            {
              key: "other",
              header: titles[0],
              isNumber: true,
              cell: ({ other }) => <FigureCell figure={other} unit={pareto.unit} />,
              sortBy: ({ other }) => other.value,
            },
            {
              key: "front",
              header: t("pareto.onFront"),
              cell: ({ is_on_front: isOn }) => (isOn ? t("pareto.yes") : ""),
            },
          ]}
        />
      ) : (
        <ParetoPlot pareto={pareto} titles={titles} />
      )}
    </>
  );
}
