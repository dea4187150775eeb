import { browserStorage } from "../browser-storage";
import { i18n } from ".";

/** A language's files, as its `index.ts` gives them. */
interface LanguageFiles {
  sentences: Readonly<Record<string, object>>;
}

interface LanguageEntry {
  /** What the language calls itself. */
  name: string;
  /** Fetches its sentences; English is part of the page, because every gap falls back on it. */
  fetch: (() => Promise<LanguageFiles>) | null;
}

/** The languages of the interface: another one is a folder beside `es` and a line here. */
export const LANGUAGES = {
  en: { name: "English", fetch: null },
  es: { name: "Español", fetch: () => import("./es") },
} as const satisfies Record<string, LanguageEntry>;

export type Language = keyof typeof LANGUAGES;

const STORED_AS = "dynabench-language";

export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag);
}

/** The person's own choice, else the first of the browser's languages that is here, else English. */
export function preferredLanguage(): Language {
  const chosen = browserStorage.read(STORED_AS);
  const wanted = [chosen ?? "", ...globalThis.navigator.languages];
  const known = wanted.map((tag) => tag.toLowerCase().split("-")[0] ?? "").find(isLanguage);
  return known ?? "en";
}

/** Show the interface in a language, once its sentences are there. */
export async function showLanguage(language: Language): Promise<void> {
  const { fetch } = LANGUAGES[language];
  if (fetch !== null) {
    const { sentences } = await fetch();
    for (const [area, file] of Object.entries(sentences)) {
      i18n.addResourceBundle(language, area, file);
    }
  }
  await i18n.changeLanguage(language);
}

/** Show a language from now on, in this browser. */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLanguage(language);
  browserStorage.write(STORED_AS, language);
}

/** Show the preferred language; where its sentences cannot be fetched, English stays. */
export async function startLanguage(): Promise<void> {
  await showLanguage(preferredLanguage()).catch(() => undefined);
}
