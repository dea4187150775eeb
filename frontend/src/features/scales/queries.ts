import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";

export type Scale = Schemas["ScaleRead"];
export type ScaledSet = Schemas["ScaledSetRead"];
export type ScaledModel = Schemas["ScaledModelRead"];
export type Contest = Schemas["ContestRead"];
export type Estimate = Schemas["EstimateRead"];
export type Suspicion = Schemas["SuspicionRead"];
export type Finding = Schemas["Finding"];

const scaleKeys = {
  of: (slug: string) => ["scales", slug] as const,
  suspected: (roundId: string) => ["suspected-errors", roundId] as const,
};

/** A new scale is looked for while the shown one is behind. */
const BEHIND_MILLISECONDS = 3000;

export const scaleQuery = (slug: string) =>
  queryOptions({
    queryKey: scaleKeys.of(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/scale", { params: { path: { slug } } })),
    refetchInterval: ({ state }) =>
      state.data?.is_current === false ? BEHIND_MILLISECONDS : false,
  });

/** A round's released examples whose gold answer may be wrong, the oldest first. */
export const suspectedQuery = (roundId: string) =>
  infiniteQueryOptions({
    queryKey: scaleKeys.suspected(roundId),
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/suspected-errors", {
          params: {
            path: { round_id: roundId },
            query: pageParam === null ? {} : { cursor: pageParam },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

export function useSettle(roundId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, finding }: { id: string; finding: Finding }) =>
      unwrap(
        api.POST("/api/v1/examples/{example_id}/suspected-error", {
          params: { path: { example_id: id } },
          body: { finding },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: scaleKeys.suspected(roundId) }),
  });
}

export function useRecompute(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(api.POST("/api/v1/tasks/{slug}/scale", { params: { path: { slug } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: scaleKeys.of(slug) }),
  });
}
