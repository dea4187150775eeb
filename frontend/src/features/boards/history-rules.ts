import type { History, HistoryColumn } from "./queries";

type Records = History["records"][number];

export interface Drawn {
  /** How the address names it: a round's number, or a static set's version. */
  key: string;
  column: HistoryColumn;
  records: Records;
}

/** Lines that can still be told from each other: each colour twice, with other dashes. */
export const MOST_DRAWN = 8;
const USUAL_LAST = 2;
const USUAL_STATIC = 2;
/** What the address says where a reader wants no line. */
const NOTHING = "none";

/** Rounds and static sets on which any model has a score. */
export function drawableOf({ columns, records }: History): Drawn[] {
  return columns
    .map((column, place) => ({
      key: column.round_number === null ? column.version_id : String(column.round_number),
      column,
      records: records[place] ?? [],
    }))
    .filter((one) => one.records.length > 0);
}

/**
 * What is drawn of a history: what the address says, else the first round, the last two, and
 * the two static sets that most models were scored on.
 */
export function drawnOf(history: History, asked: string | undefined): Drawn[] {
  const all = drawableOf(history);
  const keys = asked === undefined ? usualOf(history, all) : new Set(asked.split(","));
  return all.filter(({ key }) => keys.has(key)).slice(0, MOST_DRAWN);
}

/** The address after one line was wanted or not; undefined for the usual ones. */
export function withDrawn(
  history: History,
  drawn: readonly Drawn[],
  toggled: string,
): string | undefined {
  const all = drawableOf(history);
  const keys = new Set(drawn.map(({ key }) => key));
  if (!keys.delete(toggled)) keys.add(toggled);
  const usual = usualOf(history, all);
  if (keys.size === usual.size && [...keys].every((key) => usual.has(key))) return undefined;
  const inOrder = all.map(({ key }) => key).filter((key) => keys.has(key));
  return inOrder.length === 0 ? NOTHING : inOrder.join(",");
}

function usualOf(history: History, all: readonly Drawn[]): Set<string> {
  const rounds = all.filter(({ column }) => column.kind === "round");
  const scored = (one: Drawn) => {
    const place = history.columns.indexOf(one.column);
    return history.rows.filter(({ cells }) => (cells[place]?.figure?.value ?? null) !== null)
      .length;
  };
  const fixed = all
    .filter(({ column }) => column.kind === "static")
    .toSorted((one, other) => scored(other) - scored(one))
    .slice(0, USUAL_STATIC);
  const usual = [...rounds.slice(0, 1), ...rounds.slice(-USUAL_LAST), ...fixed];
  return new Set(usual.map(({ key }) => key));
}

/** Whether scores have a course over time: of models that came at one moment there is none. */
export function hasCourse(history: History): boolean {
  const moments = history.records.flat().map(({ submitted_at: at }) => at);
  return new Set(moments).size > 1;
}
