import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { i18n } from ".";
import {
  chooseLanguage,
  isLanguage,
  LANGUAGES,
  preferredLanguage,
  showLanguage,
  startLanguage,
} from "./languages";

type Sentences = Readonly<Record<string, string>>;

const PLURAL = /_(?:zero|one|two|few|many|other)$/u;
const OTHERS = Object.keys(LANGUAGES)
  .filter(isLanguage)
  .filter((language) => language !== "en");

/** Every sentence by "area:key". */
function flatten(value: unknown, path = ""): [string, string][] {
  if (typeof value === "string") return [[path, value]];
  return Object.entries(value as object).flatMap(([key, inner]) => {
    const separator = path === "" ? "" : path.includes(":") ? "." : ":";
    return flatten(inner, `${path}${separator}${key}`);
  });
}

const files = import.meta.glob<object>("./en/*.json", { eager: true, import: "default" });
const english: Sentences = Object.fromEntries(
  Object.entries(files).flatMap(([path, file]) => flatten({ [areaOf(path)]: file })),
);

function areaOf(path: string): string {
  return path.slice("./en/".length, -".json".length);
}

async function sentencesOf(language: (typeof OTHERS)[number]): Promise<Sentences> {
  const files = (await LANGUAGES[language].fetch()).sentences;
  // What failures are called and what sentences say has its own law: the server is its English.
  return Object.fromEntries(flatten({ ...files, problems: {}, told: {} }));
}

function places(sentence: string): string[] {
  return [...new Set([...sentence.matchAll(/\{\{(\w+)\}\}/gu)].map(([, name]) => name ?? ""))];
}

function basesOf(sentences: Sentences): string[] {
  return [...new Set(Object.keys(sentences).map((key) => key.replace(PLURAL, "")))].toSorted();
}

beforeEach(() => {
  vi.stubGlobal("navigator", { languages: ["en-GB", "en"] });
});

afterEach(async () => {
  await showLanguage("en");
});

test.each(OTHERS)("%s has a sentence for every key, and none besides", async (language) => {
  expect(basesOf(await sentencesOf(language))).toEqual(basesOf(english));
});

test.each(OTHERS)("%s has every plural form that its rules ask for", async (language) => {
  const sentences = await sentencesOf(language);
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  for (const key of Object.keys(english).filter((name) => name.endsWith("_other"))) {
    const base = key.replace(PLURAL, "");
    const asked = [...pluralCategories, ...(`${base}_zero` in english ? ["zero"] : [])];
    const given = Object.keys(sentences).filter((name) => name.replace(PLURAL, "") === base);
    expect(given.toSorted()).toEqual(asked.map((form) => `${base}_${form}`).toSorted());
  }
});

test.each(OTHERS)("%s names what the English sentence names", async (language) => {
  for (const [key, sentence] of Object.entries(await sentencesOf(language))) {
    const source = english[key] ?? english[key.replace(PLURAL, "_other")] ?? "";
    expect([key, places(sentence).toSorted()]).toEqual([key, places(source).toSorted()]);
  }
});

// Names, and words that are the same in both languages.
const SAME = new Set([
  "app:product",
  "boards:table.dynascore",
  "models:kind.openai",
  "profile:tokens.name",
  "tasks:card.topLoading",
]);
const ENGLISH_WORDS =
  /(?<![\p{L}-])(?:the|and|of|is|are|was|with|your?|this|that|for|from|not|been|have|will|an|it|its|what|who|which|yes|round|task|wrong|right|write|try|waiting|please)(?![\p{L}-])/iu;

test("Spanish has no English left in it", async () => {
  const { told } = (await LANGUAGES.es.fetch()).sentences;
  const all = { ...(await sentencesOf("es")), ...Object.fromEntries(flatten({ told })) };
  for (const [key, sentence] of Object.entries(all)) {
    const words = sentence.replaceAll(/\{\{\w+\}\}|https?:\S+|«dynabench [^»]*»/gu, "");
    expect([key, ENGLISH_WORDS.exec(words)?.[0]]).toEqual([key, undefined]);
    const isWord = /\p{Ll}{3}/u.test(words) && !key.startsWith("tasks:metrics.");
    if (isWord && !SAME.has(key)) expect([key, sentence]).not.toEqual([key, english[key]]);
  }
});

test("an area that comes later comes with every page that needs it", () => {
  const routes = import.meta.glob<string>("/src/routes/*.tsx", {
    eager: true,
    query: "?raw",
    import: "default",
  });
  const later = Object.keys(import.meta.glob("./later/*.ts")).map((path) =>
    path.slice("./later/".length, -".ts".length),
  );
  expect(later).not.toEqual([]);
  for (const [path, source] of Object.entries(routes)) {
    for (const area of later.filter((one) => source.includes(`/features/${one}/`))) {
      expect([path, source]).toEqual([path, expect.stringContaining(`/i18n/later/${area}"`)]);
    }
  }
});

test("every key is used by a page", () => {
  const sources = import.meta.glob<string>(
    ["/src/**/*.{ts,tsx}", "!/src/**/*.test.{ts,tsx}", "!/src/mocks/**"],
    { eager: true, query: "?raw", import: "default" },
  );
  const text = Object.values(sources).join("\n");
  const patterns = [...text.matchAll(/`([^`\n]*\$\{[^`\n]*)`/gu)]
    .map(([, template]) => (template ?? "").split(/\$\{[^}]*\}/u))
    .filter((parts) => /^[\w:]*[._][\w:.]*$/u.test(parts.join("")))
    .map((parts) => parts.join(".+").replaceAll(/\.(?!\+)/gu, String.raw`\.`))
    .map((pattern) => new RegExp(`^${pattern}$`, "u"));
  const unused = basesOf(english).filter((name) => {
    const key = name.slice(name.indexOf(":") + 1);
    const said = [key, name, `${name}_other`.slice(name.indexOf(":") + 1)];
    return !said.some(
      (one) => text.includes(`"${one}"`) || patterns.some((pattern) => pattern.test(one)),
    );
  });
  expect(unused).toEqual([]);
});

test("numbers and plurals follow the language", async () => {
  expect(i18n.t("compose:progress.tries", { count: 12_345 })).toBe("12,345 tries");
  expect(i18n.t("field.numberSteps", { step: 0.0001 })).toBe("In steps of 0.0001.");
  await showLanguage("es");
  expect(i18n.t("compose:progress.tries", { count: 1 })).toBe("1 intento");
  expect(i18n.t("compose:progress.tries", { count: 0 })).toBe("0 intentos");
  expect(i18n.t("compose:progress.tries", { count: 12_345 })).toBe("12.345 intentos");
  expect(i18n.t("compose:progress.tries", { count: 1_000_000 })).toBe("1.000.000 de intentos");
  expect(i18n.t("field.numberSteps", { step: 0.5 })).toBe("En pasos de 0,5.");
});

test.each([
  [["es-MX", "en"], "es"],
  [["de", "es"], "es"],
  [["en-GB", "es"], "en"],
  [["de"], "en"],
  [[], "en"],
])("a browser that asks for %j gets %s", (languages, shown) => {
  vi.stubGlobal("navigator", { languages });
  expect(preferredLanguage()).toBe(shown);
});

test("a choice goes before the browser's languages and is kept", async () => {
  await chooseLanguage("es");
  expect(preferredLanguage()).toBe("es");
  expect(document.documentElement.lang).toBe("es");
  await showLanguage("en");
  await startLanguage();
  expect(i18n.language).toBe("es");
});

test("a stored word that is no language is passed over", () => {
  localStorage.setItem("dynabench-language", "toString");
  expect(preferredLanguage()).toBe("en");
});
