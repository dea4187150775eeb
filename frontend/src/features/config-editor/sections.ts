/** The top keys of a config, each with everything that is written under it. */
function sectionsOf(text: string): Map<string, string> {
  const sections = new Map<string, string>();
  let key = "";
  for (const line of text.split("\n")) {
    const found = /^(?:"([^"]+)"|'([^']+)'|([A-Za-z_][\w-]*))\s*:/.exec(line);
    if (found !== null) key = found[1] ?? found[2] ?? found[3] ?? "";
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    sections.set(key, `${sections.get(key) ?? ""}${line.trimEnd()}\n`);
  }
  return sections;
}

/** Name the top keys whose text differs; comments and empty lines count for nothing. */
export function changedSections(before: string, after: string): string[] {
  const [old, now] = [sectionsOf(before), sectionsOf(after)];
  const keys = new Set([...old.keys(), ...now.keys()]);
  return [...keys].filter((key) => key !== "" && old.get(key) !== now.get(key));
}
