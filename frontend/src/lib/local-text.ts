/** A text of a config: plain, or by language. */
export type LocalText = string | Readonly<Record<string, string>>;

function plainTag(tag: string): string {
  return tag.toLowerCase().replaceAll("_", "-");
}

function baseOf(tag: string): string {
  return plainTag(tag).split("-")[0] ?? tag;
}

/** A text as it is; of a map, the task's own language first, which `inLanguage` falls back on. */
export function textIn(value: unknown, taskLanguage: string): LocalText | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const given = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const own = given.filter(([tag]) => baseOf(tag) === baseOf(taskLanguage));
  return Object.fromEntries([...own, ...given]);
}

/** The text in the reader's language, else in the task's own, which `textIn` put first. */
export function inLanguage(text: LocalText | null | undefined, language: string): string {
  if (text === null || text === undefined) return "";
  if (typeof text === "string") return text;
  const given = Object.entries(text);
  const wanted = [plainTag(language), baseOf(language)];
  const found = wanted.map((tag) => given.find(([other]) => plainTag(other) === tag));
  return (found.find((entry) => entry !== undefined) ?? given[0])?.[1] ?? "";
}
