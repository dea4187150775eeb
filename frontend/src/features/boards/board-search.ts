/** The highest weight that a reader may give. */
export const MOST_WEIGHT = 5;
export const WEIGHT_STEP = 0.5;
export const VIEWS = ["table", "pareto", "rounds", "tags"] as const;

export type BoardView = (typeof VIEWS)[number];

/** What a reader asks of a board, as it stands in the address; absent is the task's own choice. */
export interface BoardAsked {
  /** `accuracy:4,throughput:1`. */
  metrics?: string;
  /** `<column's key>:2,…`. */
  datasets?: string;
  budget?: number;
  rates?: string;
  sort?: string;
}

export interface BoardSearch extends BoardAsked {
  view?: BoardView;
  /** What stands against performance in the plot. */
  against?: string;
  /** The dataset whose tags are shown. */
  dataset?: string;
  /** The lines of the history's plot: rounds by number and static sets by version. */
  drawn?: string;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The lines that an address asks for; a single round's number is read as a number. */
export function readDrawn(raw: Record<string, unknown>): Pick<BoardSearch, "drawn"> {
  const drawn = typeof raw.drawn === "number" ? String(raw.drawn) : textIn(raw.drawn);
  return drawn === undefined ? {} : { drawn };
}

/** The address's search; what is not understood asks for nothing. */
export function readBoardSearch(raw: Record<string, unknown>): BoardSearch {
  const budget = Number(raw.budget);
  const view = VIEWS.find((one) => one === raw.view && one !== "table");
  return withoutEmpty({
    metrics: textIn(raw.metrics),
    datasets: textIn(raw.datasets),
    budget: Number.isFinite(budget) && budget > 0 ? budget : undefined,
    rates: textIn(raw.rates),
    sort: textIn(raw.sort),
    view,
    against: textIn(raw.against),
    dataset: textIn(raw.dataset),
    drawn: readDrawn(raw).drawn,
  });
}

type Loose<Part> = { [Key in keyof Part]: Part[Key] | undefined };

/** The same without what is undefined, which would stand in the address. */
export function withoutEmpty(search: Loose<BoardSearch>): BoardSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}

/** The part that the server is asked for. */
export function askedOf({ metrics, datasets, budget, rates, sort }: BoardSearch): BoardAsked {
  return withoutEmpty({ metrics, datasets, budget, rates, sort });
}

/** Weights as the address says them: what weighs nothing is left out, but for the first. */
export function writeWeights(weights: ReadonlyMap<string, number>): string {
  const given = [...weights].filter(([, weight]) => weight > 0);
  const all = given.length > 0 ? given : [...weights].slice(0, 1);
  return all.map(([name, weight]) => `${name}:${weight}`).join(",");
}

/** The address of a board's file, which the browser downloads. */
export function fileAddress(slug: string, form: "csv" | "tex" | "json", asked: BoardAsked): string {
  const query = searchText(asked);
  return `/api/v1/tasks/${encodeURIComponent(slug)}/board.${form}${query}`;
}

/** The address of the board without the page around it. */
export function embedAddress(slug: string, asked: BoardAsked): string {
  const path = `/embed/tasks/${encodeURIComponent(slug)}/leaderboard`;
  return `${globalThis.location.origin}${path}${searchText(asked)}`;
}

function searchText(asked: BoardAsked): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) query.set(name, String(value));
  return query.size === 0 ? "" : `?${query.toString()}`;
}
