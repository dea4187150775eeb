import type { Schemas } from "../../lib/api-client";

type Score = Schemas["ScoreRead"];

/** One model with its scores, each under its column's id. */
export interface ScoreRow {
  id: string;
  name: string;
  scores: Readonly<Record<string, Score>>;
}

/** One metric on one dataset version. */
export interface ScoreColumn {
  id: string;
  dataset: string;
  metric: string;
}

interface ScoreTable {
  /** The metrics that were computed, the principal one first. */
  metrics: string[];
  columns: ScoreColumn[];
  rows: ScoreRow[];
}

const columnOf = (score: Score) => `${score.dataset_version_id} ${score.metric}`;

/**
 * Put the scores on test splits into a table of models against datasets, with a column for
 * each metric. Datasets follow their rounds, those of no round last; the principal metric comes
 * first; models come newest version first.
 */
export function tabulate(scores: readonly Score[]): ScoreTable {
  const shown = scores
    .filter((score) => score.split === "test")
    .toSorted(
      (one, other) => (one.round_number ?? Infinity) - (other.round_number ?? Infinity) || 0,
    );
  const columns = new Map<string, ScoreColumn>();
  const models = new Map<string, ScoreRow>();
  for (const dataset of new Set(shown.map((one) => one.dataset_version_id))) {
    const here = shown
      .filter((one) => one.dataset_version_id === dataset)
      .toSorted((one, other) => Number(other.is_principal) - Number(one.is_principal));
    for (const score of here) {
      const id = columnOf(score);
      columns.set(id, { id, dataset: score.dataset_name, metric: score.metric });
      const row = models.get(score.model_id);
      models.set(score.model_id, {
        id: score.model_id,
        name: `${score.model_name} v${score.model_version}`,
        scores: { ...row?.scores, [id]: score },
      });
    }
  }
  const rows = [...models.values()].toSorted((one, other) =>
    other.name.localeCompare(one.name, undefined, { numeric: true }),
  );
  const metrics = [...new Set([...columns.values()].map(({ metric }) => metric))];
  return { metrics, columns: [...columns.values()], rows };
}
