import { useCallback, useEffect, useRef } from "react";

/**
 * Measure how long something was on screen, in seconds. Time while the page is hidden does not
 * count; `restart` begins anew.
 */
export function useTimeSpent(): { read: () => number; restart: () => void } {
  const counted = useRef(0);
  const since = useRef<number | null>(null);
  const restart = useCallback(() => {
    counted.current = 0;
    since.current = document.hidden ? null : performance.now();
  }, []);
  const read = useCallback(() => {
    const running = since.current === null ? 0 : performance.now() - since.current;
    return Math.round((counted.current + running) / 100) / 10;
  }, []);
  useEffect(() => {
    restart();
    const turn = () => {
      const now = performance.now();
      if (document.hidden) {
        counted.current += since.current === null ? 0 : now - since.current;
        since.current = null;
      } else {
        since.current = now;
      }
    };
    document.addEventListener("visibilitychange", turn);
    return () => document.removeEventListener("visibilitychange", turn);
  }, [restart]);
  return { read, restart };
}
