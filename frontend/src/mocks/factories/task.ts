import type { Schemas } from "../../lib/api-client";

export function makeTaskSummary(
  given: Partial<Schemas["TaskSummary"]> = {},
): Schemas["TaskSummary"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000010",
    slug: "nli",
    title: "Natural language inference",
    description: "Does the hypothesis follow from the premise?",
    status: "active",
    language: "en",
    has_content_warning: false,
    created_at: "2026-01-05T09:00:00Z",
    ...given,
  };
}
