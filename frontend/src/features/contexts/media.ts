import { uploadMedia } from "../../lib/media-files";
import type { DrawnField } from "../../lib/task-config";

/** Lines name files that were not chosen beside them; nothing was sent. */
export class MissingFilesError extends Error {
  constructor(readonly names: readonly string[]) {
    super(`Files are missing: ${names.join(", ")}`);
  }
}

type Values = Record<string, unknown>;

function isRecord(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The last part of a path: browsers tell no more of a chosen file. */
function baseName(path: unknown): string {
  return String(path).split(/[\\/]/).at(-1) ?? "";
}

export function holdsMedia(fields: readonly DrawnField[]): boolean {
  return fields.some(({ type }) => type === "image" || type === "audio");
}

/** A cell of a CSV as a picture or recording is named: by its address, or by its file. */
export function mediaCell(cell: string): Values {
  return cell.startsWith("https://") ? { url: cell } : { file: cell };
}

/** Which of a line's values name a file of this machine; wrong lines are the server's to tell. */
function namedFiles(
  line: string,
): { row: Values; context: Values; names: Map<string, string> } | null {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isRecord(row) || !isRecord(row.context)) return null;
  const names = new Map<string, string>();
  for (const [field, value] of Object.entries(row.context)) {
    if (isRecord(value) && "file" in value) names.set(field, baseName(value.file));
  }
  return names.size === 0 ? null : { row, context: row.context, names };
}

/**
 * Upload the files that lines name, each once, and return the lines with their digests instead.
 * A line stays in its place, so that the server's complaints point at the right one.
 */
export async function withUploads(
  slug: string,
  lines: readonly string[],
  chosen: readonly File[],
  onProgress: (share: number) => void,
): Promise<string[]> {
  const byName = new Map(chosen.map((file) => [file.name, file]));
  const found = lines.map(namedFiles);
  const wanted = new Set(found.flatMap((one) => [...(one?.names.values() ?? [])]));
  const missing = [...wanted].filter((name) => !byName.has(name));
  if (missing.length > 0) throw new MissingFilesError(missing);
  const digests = new Map<string, string>();
  const { signal } = new AbortController();
  for (const name of wanted) {
    const file = byName.get(name);
    if (file === undefined) continue;
    const stored = await uploadMedia(slug, file, { signal, onProgress: () => undefined });
    digests.set(name, stored.digest);
    onProgress(digests.size / wanted.size);
  }
  return lines.map((line, at) => {
    const one = found[at];
    if (one == null) return line;
    const context = { ...one.context };
    for (const [field, name] of one.names) {
      const others = Object.entries(context[field] as Values).filter(([key]) => key !== "file");
      context[field] = { media: digests.get(name), ...Object.fromEntries(others) };
    }
    return JSON.stringify({ ...one.row, context });
  });
}
