import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";
import type { Evaluation } from "./queries";

export type Metric = Schemas["MetricRead"];
export type Delta = Schemas["DeltaRead"];

/** The principal metric on the test split, or on the dev split where there is no test item. */
export function principalOf({ scores }: Evaluation): Metric | undefined {
  const principal = scores.filter(({ is_principal }) => is_principal);
  return principal.find(({ split }) => split === "test") ?? principal[0];
}

/** How far a model agrees with itself on all changed texts of a kind together. */
export function whole({ deltas }: Evaluation, kind: Schemas["DeltaKind"]): Delta | undefined {
  const found = deltas.filter((one) => one.kind === kind && one.transform === null);
  return found.find(({ split }) => split === "test") ?? found[0];
}

/** Rounds in their order, other sets by name, and each changed set behind what it changes. */
export function inOrder(evaluations: readonly Evaluation[]): Evaluation[] {
  const place = ({ round_number: round, dataset_name: name }: Evaluation) =>
    [round ?? Infinity, name] as const;
  const compare = (one: Evaluation, other: Evaluation) => {
    const [[round, name], [otherRound, otherName]] = [place(one), place(other)];
    if (round !== otherRound) return round < otherRound ? -1 : 1;
    return name.localeCompare(otherName) || one.dataset_version - other.dataset_version;
  };
  const originals = evaluations.filter(({ perturbs_id }) => perturbs_id === null).toSorted(compare);
  const known = new Set(originals.map(({ dataset_version_id }) => dataset_version_id));
  const changed = evaluations.filter(({ perturbs_id }) => perturbs_id !== null).toSorted(compare);
  return [
    ...originals.flatMap((one) => [
      one,
      ...changed.filter(({ perturbs_id }) => perturbs_id === one.dataset_version_id),
    ]),
    ...changed.filter(({ perturbs_id }) => !known.has(perturbs_id ?? "")),
  ];
}

/** The tags of an evaluation, the most frequent first. */
export function tagsOf({ tag_scores }: Evaluation): string[] {
  const ordered = tag_scores.toSorted((one, other) => other.items - one.items);
  return [...new Set(ordered.map(({ tag }) => tag))];
}

const NO_FRACTION_FROM = 100;

/** Items per second; a fraction says something of slow models alone. */
export function speedInWords(speed: number | null, language: string): string {
  return formatNumber(speed, language, speed !== null && speed < NO_FRACTION_FROM ? 1 : 0);
}
