import type { Schemas } from "../api-client";
import { i18n } from ".";
import { problemSentence, sentenceWith } from "./problems";

type Told = Schemas["Told"];

const AREA = "told";

/**
 * What the server's sentence says in the reader's language, by its code; null where the language
 * has none for it. Failures that are told go by what failures are called.
 */
export function toldSentence({ code, values }: Told): string | null {
  const named = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, written(value)]),
  );
  const { count } = values;
  const form = typeof count === "number" ? new Intl.PluralRules(i18n.language).select(count) : "";
  return (
    sentenceWith(AREA, code, named) ??
    sentenceWith(AREA, `${code}_${form}`, named) ??
    problemSentence({ code, facts: named })
  );
}

/** The server's sentence, said in the reader's language where that has one for it. */
export function saidOf(sentence: string, told: Told | null | undefined): string {
  return (told ? toldSentence(told) : null) ?? sentence;
}

/** A word or a number as it is, words as a list, a sentence within a sentence as it is said. */
function written(value: unknown): string | number | null {
  if (typeof value === "string" || typeof value === "number") return value;
  if (Array.isArray(value)) {
    const words = value.map((one) => written(one));
    if (words.includes(null)) return null;
    return new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(words.map(String));
  }
  return isTold(value) ? toldSentence(value) : null;
}

function isTold(value: unknown): value is Told {
  return typeof value === "object" && value !== null && "code" in value && "values" in value;
}
