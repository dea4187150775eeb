import type { History, HistoryColumn } from "./queries";

type Records = History["records"][number];

export interface Drawn {
  column: HistoryColumn;
  records: Records;
}

/** Lines that can still be told from each other. */
const MOST_ROUNDS = 4;
const MOST_STATIC = 2;

/** What is drawn of a history: the latest rounds and the first static sets with any score. */
export function saturationOf({ columns, records }: History): { drawn: Drawn[]; isSome: boolean } {
  const all = columns
    .map((column, place) => ({ column, records: records[place] ?? [] }))
    .filter((one) => one.records.length > 0);
  const rounds = all.filter(({ column }) => column.kind === "round").slice(-MOST_ROUNDS);
  const fixed = all.filter(({ column }) => column.kind === "static").slice(0, MOST_STATIC);
  const drawn = [...rounds, ...fixed];
  return { drawn, isSome: drawn.length < all.length };
}

/** Whether scores have a course over time: of models that came at one moment there is none. */
export function hasCourse(history: History): boolean {
  const { drawn } = saturationOf(history);
  const days = drawn.flatMap(({ records }) => records.map(({ submitted_at: at }) => at));
  return new Set(days).size > 1;
}
