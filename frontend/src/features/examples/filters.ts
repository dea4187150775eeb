import type { Schemas } from "../../lib/api-client";

export type Verdict = Schemas["Verdict"];
export const VERDICTS: readonly Verdict[] = [
  "pending",
  "disputed",
  "correct",
  "incorrect",
  "flagged",
];

/** What the author did to an example afterwards. */
export type AuthorState = "kept" | "retracted" | "flagged";
export const AUTHOR_STATES: readonly AuthorState[] = ["kept", "retracted", "flagged"];

/** The choice among a round's examples, as it stands in the address. */
export interface ExampleFilters {
  search?: string;
  verdict?: Verdict;
  fooled?: boolean;
  state?: AuthorState;
  tag?: string;
  annotator?: string;
}

export interface ExampleSearch extends ExampleFilters {
  round?: number;
}

function textIn(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}

function oneOf<Value extends string>(known: readonly Value[], value: unknown): Value | undefined {
  return known.find((one) => one === value);
}

/** `?round=2&verdict=disputed`; what is not understood restricts nothing. */
export function readExampleSearch(raw: Record<string, unknown>): ExampleSearch {
  const number = Number(raw.round);
  return withoutEmpty({
    round: Number.isInteger(number) && number > 0 ? number : undefined,
    search: textIn(raw.search),
    verdict: oneOf(VERDICTS, raw.verdict),
    fooled: typeof raw.fooled === "boolean" ? raw.fooled : undefined,
    state: oneOf(AUTHOR_STATES, raw.state),
    tag: textIn(raw.tag),
    annotator: textIn(raw.annotator),
  });
}

type Loose<Part> = { [Key in keyof Part]: Part[Key] | undefined };

/** The same without what is undefined or an empty text, which would stand in the address. */
export function withoutEmpty(search: Loose<ExampleSearch>): ExampleSearch {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(given);
}

/** The choice within the round. */
export function filtersOf(search: ExampleSearch): ExampleFilters {
  return withoutEmpty({ ...search, round: undefined });
}

/** Whether anything is chosen, so that not all of the round is shown. */
export function isRestricted(filters: ExampleFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** The choice as the API takes it. */
export function asQuery({ state, ...rest }: ExampleFilters) {
  const states = {
    kept: { retracted: false, flagged_by_author: false },
    retracted: { retracted: true },
    flagged: { flagged_by_author: true },
  };
  return { ...rest, ...(state === undefined ? {} : states[state]) };
}
