import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";

export type ReleasePlan = Schemas["ReleasePlanRead"];
export type ReleaseOrder = Schemas["ReleaseOrderRead"];
export type ReleaseRequest = Schemas["ReleaseRequest"];

export type PlanQuery = Pick<
  Required<ReleaseRequest>,
  "seed" | "dev_share" | "test_share" | "share_of_others" | "apart_from_earlier"
>;

/** How often what waits for verdicts is asked for again. */
const WAITING_MS = 5_000;

export const releaseKeys = {
  all: ["releases"] as const,
  plan: (roundId: string, wanted: PlanQuery) =>
    [...releaseKeys.all, "plan", roundId, wanted] as const,
  order: (roundId: string) => [...releaseKeys.all, "order", roundId] as const,
  of: (slug: string) => [...releaseKeys.all, "of", slug] as const,
};

/** What a release would hold if it were made now. */
export const releasePlanQuery = (roundId: string, wanted: PlanQuery) =>
  queryOptions({
    queryKey: releaseKeys.plan(roundId, wanted),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/release-plan", {
          params: { path: { round_id: roundId }, query: wanted },
        }),
      ),
  });

/** The release that waits for verdicts; null if none does. */
export const releaseOrderQuery = (roundId: string) =>
  queryOptions({
    queryKey: releaseKeys.order(roundId),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/release-order", {
          params: { path: { round_id: roundId } },
        }),
      ),
    refetchInterval: ({ state }) =>
      state.data === null || state.data === undefined ? false : WAITING_MS,
  });

/** The releases of a task's rounds. */
export const releasesQuery = (slug: string) =>
  queryOptions({
    queryKey: releaseKeys.of(slug),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/tasks/{slug}/datasets", {
          params: { path: { slug }, query: { origin: "release" } },
        }),
      ),
  });

/** Freeze a closed round as a dataset; answers with the job that does it. */
export function useRelease(roundId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: ReleaseRequest; key: string }) =>
      unwrap(
        api.POST("/api/v1/rounds/{round_id}/release", {
          params: { path: { round_id: roundId }, header: idempotencyHeader(key) },
          body,
        }),
      ),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Release a round no more when its verdicts are in. */
export function useCancelRelease(roundId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.DELETE("/api/v1/rounds/{round_id}/release-order", {
          params: { path: { round_id: roundId } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: releaseKeys.all }),
  });
}
