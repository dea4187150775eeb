import type { Plan } from "./queries";

export const NODE = { width: 144, height: 44, across: 184, down: 96 } as const;

export interface LineageNode {
  id: string;
  kind: "round" | "planned" | "model";
  /** A round's number, or a model's name and version. */
  name: string;
  x: number;
  y: number;
}

export interface LineageEdge {
  from: LineageNode;
  to: LineageNode;
  isTarget: boolean;
}

/** What the planned round grows out of, as it is chosen at the moment. */
export interface Choice {
  targets: readonly string[];
  parentRounds: readonly string[];
  parentModels: readonly string[];
}

const PLANNED = "planned";

/**
 * Rounds stand in a row in the order of their numbers, the planned one last; a model stands
 * below the first round that it has to do with, and several there stand below each other.
 */
export function layOutLineage(
  { lineage, next_number }: Pick<Plan, "lineage" | "next_number">,
  choice: Choice,
  nameOf: (modelId: string) => string,
): { nodes: LineageNode[]; edges: LineageEdge[]; width: number; height: number } {
  const rounds: LineageNode[] = [
    ...lineage.rounds.map(({ round_id, number }) => ({
      id: round_id,
      kind: "round" as const,
      name: String(number),
    })),
    { id: PLANNED, kind: "planned" as const, name: String(next_number) },
  ].map((one, place) => ({ ...one, x: place * NODE.across, y: 0 }));
  const links = [
    ...lineage.edges.filter((edge) => edge.to_round_id !== null),
    ...choice.parentRounds.map((id) => linkOf({ from_round_id: id })),
    ...[...new Set([...choice.targets, ...choice.parentModels])].map((id) =>
      linkOf({ from_model_id: id, is_target: choice.targets.includes(id) }),
    ),
  ];
  const known = new Map(rounds.map((one) => [one.id, one]));
  const depths = new Map<number, number>();
  for (const { from_model_id: id, to_round_id } of links) {
    const to = known.get(to_round_id ?? PLANNED);
    if (id === null || known.has(id) || to === undefined) continue;
    const depth = (depths.get(to.x) ?? 0) + 1;
    depths.set(to.x, depth);
    known.set(id, { id, kind: "model", name: nameOf(id), x: to.x, y: depth * NODE.down });
  }
  const edges = links.flatMap(({ from_round_id, from_model_id, to_round_id, is_target }) => {
    const from = known.get(from_round_id ?? from_model_id ?? "");
    const to = known.get(to_round_id ?? PLANNED);
    return from === undefined || to === undefined ? [] : [{ from, to, isTarget: is_target }];
  });
  return {
    nodes: [...known.values()],
    edges,
    width: (rounds.length - 1) * NODE.across + NODE.width,
    height: Math.max(0, ...depths.values()) * NODE.down + NODE.height,
  };
}

type Link = Plan["lineage"]["edges"][number];

function linkOf(given: Partial<Link>): Link {
  return {
    from_round_id: null,
    from_model_id: null,
    to_round_id: null,
    is_target: false,
    ...given,
  };
}

/** Where an edge leaves and arrives: sideways between rounds, upwards from a model. */
export function pathOf({ from, to }: LineageEdge): string {
  const middle = NODE.height / 2;
  if (from.kind !== "model") {
    const [startX, endX] = [from.x + NODE.width, to.x];
    const isNext = endX - startX < NODE.across;
    const bend = isNext ? 0 : -1;
    return `M${startX} ${middle} C${startX + 20} ${middle + bend * 40} ${endX - 20} ${middle + bend * 40} ${endX} ${middle}`;
  }
  const startX = from.x + NODE.width / 2;
  const endX = to.x + NODE.width / 2;
  return `M${startX} ${from.y} C${startX} ${from.y - 30} ${endX} ${to.y + NODE.height + 30} ${endX} ${to.y + NODE.height}`;
}
