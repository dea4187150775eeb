import type { Schemas } from "../../lib/api-client";

export type Outcome = Schemas["Outcome"];
export const OUTCOMES: readonly Outcome[] = ["wrong", "right", "failed"];
export type ScoredSplit = "test" | "dev";
export const SPLITS: readonly ScoredSplit[] = ["test", "dev"];

/** The choice among an evaluation's items, as it stands in the address. */
export interface ItemFilters {
  split?: ScoredSplit;
  outcome?: Outcome;
  tag?: string;
  search?: string;
}

/** A model page's address: which evaluation is looked at, and which of its items. */
export interface ItemSearch extends ItemFilters {
  evaluation?: string;
}

function textIn(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}

type Loose<Part> = { [Key in keyof Part]: Part[Key] | undefined };

/** The same without what is undefined or an empty text, which would stand in the address. */
export function withoutEmpty(search: Loose<ItemSearch>): ItemSearch {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(given);
}

/** `?evaluation=…&outcome=wrong`; what is not understood restricts nothing. */
export function readItemSearch(raw: Record<string, unknown>): ItemSearch {
  return withoutEmpty({
    evaluation: textIn(raw.evaluation),
    split: SPLITS.find((one) => one === raw.split),
    outcome: OUTCOMES.find((one) => one === raw.outcome),
    tag: textIn(raw.tag),
    search: textIn(raw.search),
  });
}

/** The choice among the items alone. */
export function itemFiltersOf(search: ItemSearch): ItemFilters {
  return withoutEmpty({ ...search, evaluation: undefined });
}

/** The choice as the API takes it. */
export function asItemQuery({ search, ...rest }: ItemFilters) {
  return { ...rest, ...(search === undefined ? {} : { q: search }) };
}

export interface ComparisonSearch {
  left?: string;
  right?: string;
  dataset?: string;
  better?: Schemas["Advantage"];
}

const ADVANTAGES: readonly Schemas["Advantage"][] = ["any", "left", "right"];

/** `?left=…&right=…&dataset=…&better=left` of the page that compares two models. */
export function readComparisonSearch(raw: Record<string, unknown>): ComparisonSearch {
  const search = {
    left: textIn(raw.left),
    right: textIn(raw.right),
    dataset: textIn(raw.dataset),
    better: ADVANTAGES.find((one) => one === raw.better),
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
