import type { Schemas } from "../../lib/api-client";

export function makeMedia(changes: Partial<Schemas["MediaRead"]> = {}): Schemas["MediaRead"] {
  return {
    digest: "ab".repeat(32),
    kind: "image",
    media_type: "image/png",
    size_bytes: 1200,
    width: 60,
    height: 40,
    duration_seconds: null,
    ...changes,
  };
}
