import type { Schemas } from "../../lib/api-client";

type Score = Schemas["ScoreRead"];

/** One model with its score on each dataset version. */
export interface ScoreRow {
  id: string;
  name: string;
  scores: Readonly<Record<string, Score>>;
}

interface ScoreTable {
  metric: string;
  datasets: { id: string; name: string }[];
  rows: ScoreRow[];
}

/**
 * Put the principal scores on test splits into a table of models against datasets. Datasets
 * follow their rounds, those of no round last; models come newest version first.
 */
export function tabulate(scores: readonly Score[]): ScoreTable {
  const shown = scores
    .filter((score) => score.is_principal && score.split === "test")
    .toSorted(
      (one, other) => (one.round_number ?? Infinity) - (other.round_number ?? Infinity) || 0,
    );
  const datasets = new Map(shown.map((one) => [one.dataset_version_id, one.dataset_name]));
  const models = new Map<string, ScoreRow>();
  for (const score of shown) {
    const row = models.get(score.model_id);
    models.set(score.model_id, {
      id: score.model_id,
      name: `${score.model_name} v${score.model_version}`,
      scores: { ...row?.scores, [score.dataset_version_id]: score },
    });
  }
  const rows = [...models.values()].toSorted((one, other) =>
    other.name.localeCompare(one.name, undefined, { numeric: true }),
  );
  return {
    metric: shown[0]?.metric ?? "",
    datasets: [...datasets].map(([id, name]) => ({ id, name })),
    rows,
  };
}
