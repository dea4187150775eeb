import { useRouter } from "@tanstack/react-router";

/** What the address of a page of this feature may carry. */
export interface NextSearch {
  /** Where to go after signing in. */
  next?: string;
}

/** Take `next` from an address; only a place on this site is one. */
export function readNext(search: Record<string, unknown>): NextSearch {
  const { next } = search;
  return typeof next === "string" && isOwnAddress(next) ? { next } : {};
}

function isOwnAddress(address: string): boolean {
  if (!address.startsWith("/")) return false;
  const { origin } = globalThis.location;
  return URL.canParse(address, origin) && new URL(address, origin).origin === origin;
}

/** Go to where the reader came from, else to the first page. */
export function useGoOn(next: string | undefined): () => void {
  const router = useRouter();
  return () => router.history.push(next ?? "/");
}

/** What the address of the page for a new account may carry. */
export function readSignUp(search: Record<string, unknown>): NextSearch & { invitation?: string } {
  const { invitation } = search;
  return { ...readNext(search), ...(typeof invitation === "string" ? { invitation } : {}) };
}
