import type { FormatterModule } from "i18next";

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(language: string): Intl.NumberFormat {
  const known = formats.get(language);
  if (known !== undefined) return known;
  // Nothing is rounded here: what a sentence names may be the step of a field.
  const made = new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
  formats.set(language, made);
  return made;
}

/** A number to its last digit, as the language writes numbers. */
export function exactNumber(value: number, language: string): string {
  return formatOf(language).format(value);
}

/** Writes every number that a sentence names as the sentence's language writes numbers. */
export const numbersInSentences: FormatterModule = {
  type: "formatter",
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _format, language) =>
    typeof value === "number" ? exactNumber(value, language ?? "en") : (value as string),
};
