import { formatDateTime } from "../format";
import { i18n } from ".";

interface KnownProblem {
  code: string;
  facts: Readonly<Record<string, unknown>>;
}

const AREA = "problems";
const PLACE = /\{\{(\w+)\}\}/gu;

/**
 * What a failure is called in the reader's language, by its code; null where the language has no
 * sentence for it, or where the server did not send every fact that the sentence names. The
 * server's own sentence, in English, stands there instead.
 */
export function problemSentence({ code, facts }: KnownProblem): string | null {
  return sentenceWith(AREA, code, withTimes(facts));
}

/** Moments, whose names end so, as the reader's clock says them. */
function withTimes(facts: KnownProblem["facts"]): KnownProblem["facts"] {
  const told = Object.entries(facts).map(([name, value]) => [
    name,
    name.endsWith("_at") && typeof value === "string"
      ? formatDateTime(value, i18n.language)
      : value,
  ]);
  return Object.fromEntries(told) as KnownProblem["facts"];
}

/** A language's sentence with what it names; null without one, or without a name of it. */
export function sentenceWith(
  area: string,
  key: string,
  named: Readonly<Record<string, unknown>>,
): string | null {
  const sentence: unknown = i18n.getResource(i18n.language, area, key);
  if (typeof sentence !== "string") return null;
  const names = [...sentence.matchAll(PLACE)].map(([, name]) => name ?? "");
  if (names.some((name) => named[name] === undefined || named[name] === null)) return null;
  return i18n.services.interpolator.interpolate(sentence, { ...named }, i18n.language, {});
}
