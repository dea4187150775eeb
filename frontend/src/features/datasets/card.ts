import type { RateFigures } from "../../lib/format";
import type { DatasetVersion } from "./queries";

type Values = Record<string, unknown>;

export interface CardSplit {
  split: string;
  /** Items, and how many of them fooled, were verified, and so on. */
  counts: ReadonlyMap<string, number>;
  /** Null where they are kept back, since they would tell withheld answers. */
  labels: readonly (readonly [string, number])[] | null;
}

/** What a release's card says in numbers; null where it says nothing of that. */
export interface ReleaseCard {
  stored: number;
  splits: readonly CardSplit[];
  excluded: readonly (readonly [string, number])[];
  rate: RateFigures | null;
  validatedRate: RateFigures | null;
  alpha: number | null;
  unanimous: RateFigures | null;
  annotators: number | null;
  topShare: number | null;
  testOnly: { annotators: number; items: number; all: number } | null;
  seconds: { mean: number; median: number | null } | null;
  inputsAlone: RateFigures | null;
  commonest: RateFigures | null;
  targets: readonly string[];
  /** The parts of what fooled, where its owner said them. */
  devShare: number | null;
  testShare: number | null;
  seed: string | null;
  canary: string | null;
  /** English sentences of the server: what is missing, and what could not be had. */
  notes: readonly string[];
  /** What they say, by the sentence. */
  told: DatasetVersion["told"];
  errata: { lookedAt: number; wrong: number; items: readonly EarlierErratum[] } | null;
}

export interface EarlierErratum {
  release: string;
  split: string;
  uid: string;
}

/** Read a card, which may be of an older or another installation, and so lack anything. */
export function readCard({ card, splits, told }: DatasetVersion): ReleaseCard {
  const agreement = mapOf(card.agreement);
  const rates = mapOf(card.error_rate);
  const artifacts = mapOf(card.artifacts);
  const alone = mapOf(card.test_only_annotators);
  const seconds = mapOf(card.seconds_per_validated_fooling);
  const errata = mapOf(card.earlier_errata);
  const mean = numberOf(seconds.mean);
  const writers = numberOf(alone.annotators) ?? 0;
  return {
    stored: numberOf(card.stored) ?? 0,
    splits: splits.map(({ split }) => splitOf(split, mapOf(mapOf(card.splits)[split]))),
    excluded: countsOf(card.excluded),
    rate: rateOf(rates.model_error_rate),
    validatedRate: rateOf(rates.validated_model_error_rate),
    alpha: numberOf(agreement.krippendorff_alpha),
    unanimous: rateOf(agreement.unanimous),
    annotators: numberOf(card.annotators),
    topShare: numberOf(mapOf(card.concentration).top_share),
    testOnly:
      writers === 0
        ? null
        : {
            annotators: writers,
            items: numberOf(alone.items) ?? 0,
            all: numberOf(alone.of_items) ?? 0,
          },
    seconds: mean === null ? null : { mean, median: numberOf(seconds.median) },
    inputsAlone: rateOf(artifacts.input_only_accuracy),
    commonest: rateOf(artifacts.majority_accuracy),
    targets: listOf(card.targets).map(
      ({ name, version }) => `${textOf(name) ?? "–"} v${Number(version)}`,
    ),
    devShare: numberOf(card.dev_share),
    testShare: numberOf(card.test_share),
    seed: numberOf(card.seed)?.toString() ?? textOf(card.seed),
    canary: textOf(card.canary),
    told,
    notes: [card.missing, card.notes, [artifacts.reason]]
      .flatMap((list: unknown) => (Array.isArray(list) ? (list as unknown[]) : []))
      .filter((note) => typeof note === "string"),
    errata:
      numberOf(errata.looked_at) === null
        ? null
        : {
            lookedAt: numberOf(errata.looked_at) ?? 0,
            wrong: numberOf(errata.wrong) ?? 0,
            items: listOf(errata.items).map((one) => ({
              release: `${textOf(one.release) ?? "–"} v${Number(one.version)}`,
              split: textOf(one.split) ?? "–",
              uid: textOf(one.uid) ?? "–",
            })),
          },
  };
}

function splitOf(split: string, told: Values): CardSplit {
  const isKeptBack = told.labels === null && told.items !== undefined;
  return {
    split,
    counts: new Map(countsOf(told)),
    labels: isKeptBack ? null : countsOf(told.labels),
  };
}

function mapOf(value: unknown): Values {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Values)
    : {};
}

function listOf(value: unknown): Values[] {
  return Array.isArray(value) ? value.map(mapOf) : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function countsOf(value: unknown): [string, number][] {
  return Object.entries(mapOf(value)).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number",
  );
}

function rateOf(value: unknown): RateFigures | null {
  const { value: share, part, whole, low, high } = mapOf(value);
  const [counted, of] = [numberOf(part), numberOf(whole)];
  if (counted === null || of === null) return null;
  return {
    value: numberOf(share),
    part: counted,
    whole: of,
    low: numberOf(low),
    high: numberOf(high),
  };
}
