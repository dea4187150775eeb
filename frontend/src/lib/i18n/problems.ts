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
  const sentence: unknown = i18n.getResource(i18n.language, AREA, code);
  if (typeof sentence !== "string") return null;
  const named = [...sentence.matchAll(PLACE)].map(([, name]) => name ?? "");
  if (named.some((name) => facts[name] === undefined || facts[name] === null)) return null;
  return i18n.services.interpolator.interpolate(sentence, { ...facts }, i18n.language, {});
}
