import { Stack } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { formatPercent } from "../../lib/format";
import {
  type Choice,
  layOutLineage,
  type LineageEdge,
  type LineageNode,
  NODE,
  pathOf,
} from "./lineage-layout";
import classes from "./plans.module.css";
import type { Plan } from "./queries";

interface LineageGraphProps {
  plan: Plan;
  choice: Choice;
}

/** All rounds with what each grew out of, the planned one last; the table says the same. */
export function LineageGraph({ plan, choice }: LineageGraphProps) {
  const { t } = useTranslation("plans");
  const arrow = useId();
  const names = new Map(
    [...plan.candidates, ...plan.lineage.models].map((one) => [
      one.model_id,
      `${one.name} v${one.version}`,
    ]),
  );
  const drawn = layOutLineage(plan, choice, (id) => names.get(id) ?? "–");
  const nameOf = ({ kind, name }: LineageNode) =>
    kind === "model" ? name : t(kind === "planned" ? "lineage.planned" : "lineage.round", { name });
  // Arcs over rounds rise above the row, so there is room over it.
  const box = `-4 -36 ${drawn.width + 8} ${drawn.height + 44}`;
  return (
    <Stack gap="sm">
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls sideways. */}
      <div className={classes.scroll} role="region" aria-label={t("lineage.title")} tabIndex={0}>
        <svg
          viewBox={box}
          width={drawn.width + 8}
          height={drawn.height + 44}
          role="img"
          aria-label={t("lineage.drawing")}
        >
          <defs>
            <marker
              id={arrow}
              viewBox="0 0 8 8"
              refX="8"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8z" className={classes.arrow} />
            </marker>
          </defs>
          {drawn.edges.map((edge) => (
            <path
              key={`${edge.from.id} ${edge.to.id}`}
              d={pathOf(edge)}
              className={classes.edge}
              data-target={edge.isTarget}
              markerEnd={`url(#${arrow})`}
            />
          ))}
          {drawn.nodes.map((node) => (
            <g key={node.id} transform={`translate(${node.x} ${node.y})`}>
              <rect
                width={NODE.width}
                height={NODE.height}
                rx={node.kind === "model" ? 22 : 6}
                className={classes.node}
                data-kind={node.kind}
              />
              <text x={NODE.width / 2} y={NODE.height / 2} className={classes.name}>
                {shortened(nameOf(node))}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <LineageTable plan={plan} nodes={drawn.nodes} edges={drawn.edges} nameOf={nameOf} />
    </Stack>
  );
}

interface LineageTableProps {
  plan: Plan;
  nodes: readonly LineageNode[];
  edges: readonly LineageEdge[];
  nameOf: (node: LineageNode) => string;
}

function LineageTable({ plan, nodes, edges, nameOf }: LineageTableProps) {
  const { t, i18n } = useTranslation("plans");
  const known = new Map(plan.lineage.rounds.map((one) => [one.round_id, one]));
  const named = (to: LineageNode, isTarget: boolean) =>
    edges
      .filter((edge) => edge.to.id === to.id && edge.isTarget === isTarget)
      .map(({ from }) => nameOf(from))
      .join(", ") || "–";
  const columns: Column<LineageNode>[] = [
    { key: "round", header: t("lineage.of"), cell: nameOf },
    {
      key: "collected",
      header: t("lineage.collected"),
      isNumber: true,
      cell: ({ id }) => known.get(id)?.collected ?? "–",
    },
    {
      key: "rate",
      header: "vMER",
      isNumber: true,
      cell: ({ id }) =>
        formatPercent(known.get(id)?.validated_model_error_rate?.value ?? null, i18n.language, 1),
    },
    { key: "targets", header: t("lineage.targets"), cell: (one) => named(one, true) },
    { key: "parents", header: t("lineage.parents"), cell: (one) => named(one, false) },
  ];
  return (
    <DataTable
      caption={t("lineage.caption")}
      columns={columns}
      rows={nodes.filter(({ kind }) => kind !== "model")}
      rowKey={({ id }) => id}
    />
  );
}

const LONGEST = 18;

function shortened(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}
