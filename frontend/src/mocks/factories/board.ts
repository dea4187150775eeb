import type { Schemas } from "../../lib/api-client";

const id = (number: number) =>
  `0b0e7c60-0000-4000-8000-0000000006${String(number).padStart(2, "0")}`;

export function makeBoardModel(
  number: number,
  given: Partial<Schemas["BoardModelRead"]> = {},
): Schemas["BoardModelRead"] {
  return {
    id: id(number),
    name: `model-${number}`,
    version: 1,
    kind: "handler",
    isolation: "sandbox",
    submitted_by: "ada",
    is_anonymous: false,
    is_mine: false,
    is_published: true,
    is_measured_at_client: false,
    ...given,
  };
}

export function makeFigure(
  value: number | null,
  items: number | null = 400,
): Schemas["FigureRead"] {
  const ends = value === null ? { low: null, high: null } : { low: value - 4, high: value + 4 };
  return { value, items, ...ends };
}

export function makeBoardRow(
  number: number,
  given: Partial<Schemas["BoardRow"]> = {},
): Schemas["BoardRow"] {
  const figures = { accuracy: makeFigure(80 - number), throughput: makeFigure(10 * number, null) };
  return {
    model: makeBoardModel(number),
    place: number,
    dynascore: 60 - number,
    dynascore_interval: { low: 55, high: 62 },
    leave_one_out: { low: 50, high: 70 },
    average_z: 0,
    rank: { low: 1, high: 2 },
    dynascore_rank: { low: 1, high: 2 },
    performance_rank: { low: number, high: number },
    mcnemar_rank: null,
    is_on_front: true,
    performance_standard_error: 2,
    figures,
    datasets: [],
    failed_items: 0,
    evaluated_at: "2026-03-01T09:00:00Z",
    ...given,
  };
}

function makeMetric(
  name: string,
  given: Partial<Schemas["MetricColumnRead"]> = {},
): Schemas["MetricColumnRead"] {
  return {
    name,
    title: name,
    unit: "points",
    is_lower_better: false,
    is_principal: false,
    weight: 1,
    default_weight: 1,
    share: 0.2,
    amrs: 2.5,
    has_data: true,
    reason: null,
    ...given,
  };
}

export function makeBoard(given: Partial<Schemas["BoardRead"]> = {}): Schemas["BoardRead"] {
  const rows = given.rows ?? [makeBoardRow(1), makeBoardRow(2)];
  return {
    task_slug: "nli",
    metrics: [
      makeMetric("accuracy", { is_principal: true, weight: 4, share: 0.8, amrs: 1 }),
      makeMetric("throughput", { unit: "examples_per_second" }),
    ],
    datasets: [
      {
        key: id(90),
        title: "round 1",
        weight: 1,
        default_weight: 1,
        share: 1,
        members: [{ version_id: id(90), name: "round 1", version: 1, round_number: 1, items: 400 }],
        reason: null,
      },
    ],
    budget_gib: 32,
    pairs: 1,
    pairs_skipped: 0,
    rates: null,
    dynascore_reason: null,
    notes: [],
    notes_told: [],
    sort: "dynascore",
    ranked_by: "dynascore",
    rates_from: "observed",
    ranked: rows.length,
    incomplete: [],
    incomplete_total: 0,
    humans: null,
    is_preference: false,
    as_of: "2026-03-01T09:00:00Z",
    is_current: true,
    next_cursor: null,
    ...given,
    rows,
  };
}

/** Two rounds and a static set; the first model was the second round's target. */
export function makeHistory(given: Partial<Schemas["HistoryRead"]> = {}): Schemas["HistoryRead"] {
  const column = (place: number, values: Partial<Schemas["HistoryColumn"]>) => ({
    version_id: id(70 + place),
    kind: "round" as const,
    name: `Round ${place}`,
    version: 1,
    round_number: place,
    access: "scoring" as const,
    items: 120,
    since: "2026-03-01T09:00:00Z",
    target_ids: [],
    humans: null,
    best_model: null,
    best: null,
    gap: null,
    ...values,
  });
  const record = (number: number, day: string, value: number) => ({
    model_id: id(number),
    model: `model-${number} v1`,
    submitted_at: `2026-0${day}T09:00:00Z`,
    figure: makeFigure(value),
  });
  const row = (number: number, cells: (number | null)[]) => ({
    model: makeBoardModel(number),
    submitted_at: `2026-0${number}-01T09:00:00Z`,
    cells: cells.map((value) => ({
      state: value === null ? ("incomplete" as const) : ("done" as const),
      figure: value === null ? null : makeFigure(value),
    })),
  });
  const people = { ...makeFigure(91), key: "x", metric: "accuracy", items: 80, votes: 240 };
  return {
    metric: "accuracy",
    is_lower_better: false,
    columns: [
      column(1, { humans: { ...people, method: "blind", reason: null }, gap: 30 }),
      column(2, { target_ids: [id(1)] }),
      column(3, { kind: "static", name: "Old set", round_number: null }),
    ],
    rows: [row(2, [61, 44, 90]), row(1, [52, 12, null])],
    models: 2,
    records: [
      [record(1, "1-01", 52), record(2, "2-01", 61)],
      [record(1, "1-01", 12), record(2, "2-01", 44)],
      [record(2, "2-01", 90)],
    ],
    as_of: "2026-03-02T09:00:00Z",
    ...given,
  };
}
