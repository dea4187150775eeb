import { createContext, type ReactNode, useContext } from "react";

/** The task that files are brought to; null where nobody who may bring some is signed in. */
const MediaTaskContext = createContext<string | null>(null);

/** Let the fields below bring pictures and recordings to a task. */
export function MediaTask({ slug, children }: { slug: string | null; children: ReactNode }) {
  return <MediaTaskContext value={slug}>{children}</MediaTaskContext>;
}

export function useMediaTask(): string | null {
  return useContext(MediaTaskContext);
}
