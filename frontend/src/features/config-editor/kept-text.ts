import { useState } from "react";

import { browserStorage } from "../../lib/browser-storage";

/** What somebody has written and not saved as a version. */
interface Kept {
  text: string;
  /** The version that it began from; null for a task that is not there yet. */
  version: number | null;
}

function keyOf(user: string, place: string): string {
  return ["dynabench-config", ...[user, place].map(encodeURIComponent)].join(":");
}

function readKept(key: string): Kept | null {
  try {
    const kept = JSON.parse(browserStorage.read(key) ?? "null") as Partial<Kept> | null;
    return typeof kept?.text === "string"
      ? { text: kept.text, version: kept.version ?? null }
      : null;
  } catch {
    return null;
  }
}

/**
 * The text in the editor. What differs from `saved` is kept in this browser until it is saved
 * or put back, and is there again after a reload.
 */
export function useKeptText(user: string, place: string, saved: Kept) {
  const key = keyOf(user, place);
  const [kept, setKept] = useState(() => readKept(key));
  const isUnsaved = kept !== null && kept.text !== saved.text;
  const text = kept?.text ?? saved.text;
  const write = (next: string) => {
    const from = kept?.version ?? saved.version;
    setKept({ text: next, version: from });
    if (next === saved.text) browserStorage.remove(key);
    else browserStorage.write(key, JSON.stringify({ text: next, version: from }));
  };
  const forget = () => {
    browserStorage.remove(key);
    setKept(null);
  };
  return { text, isUnsaved, startedFrom: kept?.version ?? saved.version, write, forget };
}
