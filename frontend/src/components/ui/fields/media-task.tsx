import { type ReactNode, useMemo } from "react";

import { MediaPortProvider, serverMedia } from "./media-port";

/** Let the fields below bring pictures and recordings to a task; to none where it is null. */
export function MediaTask({ slug, children }: { slug: string | null; children: ReactNode }) {
  const port = useMemo(() => serverMedia(slug), [slug]);
  return <MediaPortProvider value={port}>{children}</MediaPortProvider>;
}
