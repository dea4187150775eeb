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

/** Writes every number that a sentence names as the sentence's language writes numbers. */
export const numbersInSentences: FormatterModule = {
  type: "formatter",
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value: unknown, _format, language) =>
    typeof value === "number" ? formatOf(language ?? "en").format(value) : (value as string),
};
