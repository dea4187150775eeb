import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";

export type Plan = Schemas["NextRoundRead"];
export type Candidate = Schemas["TargetCandidateRead"];

export interface PlanQuestion {
  /** What to draw from; the last round's tags where absent. */
  tags?: string[];
  /** How wide the interval of the next vMER may be, from 0 to 1. */
  width?: number;
}

/** What speaks for which next round; an answer stays on the page until the next one is there. */
export const nextRoundQuery = (slug: string, asked: PlanQuestion) =>
  queryOptions({
    queryKey: ["plans", slug, asked] as const,
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/tasks/{slug}/next-round", { params: { path: { slug }, query: asked } }),
      ),
    placeholderData: keepPreviousData,
  });
