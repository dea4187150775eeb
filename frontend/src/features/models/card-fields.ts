import type { Schemas } from "../../lib/api-client";

export type Card = Schemas["ModelCard"];
export type CardField = keyof Card;

/** What a model must say of itself before it is published. */
export const NEEDED: readonly CardField[] = [
  "intended_use",
  "training_data",
  "limitations",
  "licence",
];
export const CARD_FIELDS: readonly CardField[] = [
  ...NEEDED,
  "evaluation_data",
  "ethics",
  "contact",
  "citation",
];

/** What stands in one line. */
export const ONE_LINE: ReadonlySet<CardField> = new Set(["licence", "contact"]);

export const NO_CARD: Card = {
  intended_use: "",
  training_data: "",
  limitations: "",
  licence: "",
  evaluation_data: "",
  ethics: "",
  contact: "",
  citation: "",
};

/** Which needed parts of a card say nothing yet. */
export function missingIn(card: Card | null): CardField[] {
  return NEEDED.filter((name) => (card?.[name] ?? "").trim() === "");
}
