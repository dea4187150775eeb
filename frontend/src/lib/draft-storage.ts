import { useCallback, useEffect, useRef, useState } from "react";

import { browserStorage } from "./browser-storage";

/** Whose draft about what; a visitor's user is null. */
export interface DraftPlace {
  user: string | null;
  task: string;
  round: string;
  context: string;
}

const PREFIX = "dynabench-draft";

export function draftKey(place: DraftPlace): string {
  const parts = [place.user ?? "", place.task, place.round, place.context];
  return [PREFIX, ...parts.map(encodeURIComponent)].join(":");
}

function readDraft<Draft>(key: string, empty: Draft): Draft {
  const written = browserStorage.read(key);
  if (written === null) return empty;
  try {
    return JSON.parse(written) as Draft;
  } catch {
    return empty;
  }
}

/**
 * Keep what someone types where a reload, a sign-out, a dead target or a closed round cannot
 * take it. `clear` forgets it, and is for after a success only.
 *
 * When the place changes, the other place's draft is shown; nothing is carried over.
 */
export function useDraft<Draft>(
  place: DraftPlace,
  empty: Draft,
): [Draft, (draft: Draft) => void, () => void] {
  const key = draftKey(place);
  const [held, setHeld] = useState(() => ({ key, draft: readDraft(key, empty) }));
  const emptyDraft = useRef(empty);
  useEffect(() => {
    emptyDraft.current = empty;
  });
  let current = held;
  if (held.key !== key) {
    current = { key, draft: readDraft(key, empty) };
    setHeld(current);
  }
  const write = useCallback(
    (draft: Draft) => {
      browserStorage.write(key, JSON.stringify(draft));
      setHeld({ key, draft });
    },
    [key],
  );
  const clear = useCallback(() => {
    browserStorage.remove(key);
    setHeld({ key, draft: emptyDraft.current });
  }, [key]);
  return [current.draft, write, clear];
}
