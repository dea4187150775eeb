import { infiniteQueryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { asQuery, type ExampleFilters } from "./filters";

export type Outcome = Schemas["OutcomeRead"];
export type Vote = Schemas["Vote"];
export type Decided = Schemas["ExpertDecisionRead"];

export const exampleKeys = {
  all: ["examples"] as const,
  list: (roundId: string, filters: ExampleFilters) =>
    [...exampleKeys.all, "list", roundId, filters] as const,
};

/** A round's examples with all votes, newest first, page by page. */
export const exampleListQuery = (roundId: string, filters: ExampleFilters) =>
  infiniteQueryOptions({
    queryKey: exampleKeys.list(roundId, filters),
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/outcomes", {
          params: {
            path: { round_id: roundId },
            query: { ...asQuery(filters), cursor: pageParam },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

/** A decision changes rates and boards too, so everything fetched is asked for again. */
function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

/** Decide examples as an expert; the latest expert's vote decides. */
export function useDecide(roundId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ ids, vote }: { ids: readonly string[]; vote: Vote }) =>
      unwrap(
        api.POST("/api/v1/rounds/{round_id}/expert-decisions", {
          params: { path: { round_id: roundId } },
          body: { example_ids: [...ids], vote, metadata: {} },
        }),
      ),
    onSuccess: refresh,
  });
}

/** Take examples out of every count. */
export function useVoid(roundId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ ids, reason }: { ids: readonly string[]; reason: string }) =>
      unwrap(
        api.POST("/api/v1/rounds/{round_id}/voided-examples", {
          params: { path: { round_id: roundId } },
          body: { example_ids: [...ids], reason },
        }),
      ),
    onSuccess: refresh,
  });
}
