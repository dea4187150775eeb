import { useEffect, useState } from "react";

import type { Schemas } from "./api-client";

type Round = Pick<Schemas["RoundRead"], "status" | "schedule">;

/** A timer counts at most so many milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** When an open round will take its first examples; null where that is not to come. */
export function opensLater(round: Round | null | undefined, now: number): string | null {
  const opens = round?.schedule.opens_at ?? null;
  if (round?.status !== "open" || opens === null) return null;
  return new Date(opens).getTime() > now ? opens : null;
}

/** The same as it is now; what shows it is drawn again when the moment comes. */
export function useOpensLater(round: Round | null | undefined): string | null {
  const [now, setNow] = useState(() => Date.now());
  const later = opensLater(round, now);
  useEffect(() => {
    if (later === null) return undefined;
    const wait = Math.max(0, new Date(later).getTime() - Date.now());
    const timer = setTimeout(() => setNow(Date.now()), Math.min(wait, LONGEST_MS));
    return () => clearTimeout(timer);
  }, [later, now]);
  return later;
}
