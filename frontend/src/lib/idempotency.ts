import { useCallback, useRef } from "react";

/** The header that makes sending the same creation twice create once. */
export function idempotencyHeader(key: string): { "idempotency-key": string } {
  return { "idempotency-key": key };
}

/**
 * Give one key per thing to create: the same key while the body stays the same (a retry, a
 * double click), a fresh one as soon as it differs or `renew` was called after a success.
 */
export function useIdempotencyKey(): { keyFor: (body: unknown) => string; renew: () => void } {
  const held = useRef<{ body: string; key: string } | null>(null);
  const keyFor = useCallback((body: unknown) => {
    const written = JSON.stringify(body);
    if (held.current?.body !== written) held.current = { body: written, key: crypto.randomUUID() };
    return held.current.key;
  }, []);
  const renew = useCallback(() => {
    held.current = null;
  }, []);
  return { keyFor, renew };
}
