import type { PlanQuestion } from "./queries";

/** What an owner has chosen so far, as it stands in the address. */
export interface PlanSearch extends PlanQuestion {
  /** Ids of models; the suggestion where absent. */
  targets?: string[];
}

function textsIn(value: unknown): string[] | undefined {
  const found = Array.isArray(value) ? value : [value];
  const texts = found.filter((one): one is string => typeof one === "string");
  return texts.length === 0 ? undefined : texts;
}

/** The address's search; what is not understood asks for nothing. */
export function readPlanSearch(raw: Record<string, unknown>): PlanSearch {
  const width = Number(raw.width);
  const tags = textsIn(raw.tags);
  const targets = textsIn(raw.targets);
  return {
    ...(tags === undefined ? {} : { tags }),
    ...(targets === undefined ? {} : { targets }),
    ...(width > 0 && width < 1 ? { width } : {}),
  };
}
