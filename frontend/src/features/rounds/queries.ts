import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";

export type Round = Schemas["RoundRead"];
export type ErrorRate = Schemas["ErrorRateRead"];

/** How often the figures of an open round are asked for again. */
const FIGURES_MS = 30_000;

export const roundKeys = {
  all: ["rounds"] as const,
  list: (slug: string) => [...roundKeys.all, "list", slug] as const,
  figures: (roundId: string) => [...roundKeys.all, "figures", roundId] as const,
};

/** What a release would lack if it were made now; refused to all but owners. */
export const releaseLacksQuery = (roundId: string) =>
  queryOptions({
    queryKey: [...roundKeys.all, "lacks", roundId],
    queryFn: async () => {
      const path = { round_id: roundId };
      const plan = await unwrap(
        api.GET("/api/v1/rounds/{round_id}/release-plan", { params: { path } }),
      );
      return plan.missing;
    },
  });

/** A task's rounds, newest first; drafts only for its owners. */
export const roundListQuery = (slug: string) =>
  queryOptions({
    queryKey: roundKeys.list(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/rounds", { params: { path: { slug } } })),
  });

/** The round that votes are cast in: the numbered one, else the open one, else the latest. */
export function chooseRound(rounds: readonly Round[], number: number | undefined): Round | null {
  if (number !== undefined) return rounds.find((round) => round.number === number) ?? null;
  const collected = rounds.filter(({ status }) => status !== "draft");
  return collected.find(({ status }) => status === "open") ?? collected[0] ?? null;
}

export const errorRateQuery = (roundId: string) =>
  queryOptions({
    queryKey: [...roundKeys.figures(roundId), "error-rate"],
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/error-rate", {
          params: { path: { round_id: roundId } },
        }),
      ),
    refetchInterval: FIGURES_MS,
  });

export const daysQuery = (roundId: string) =>
  queryOptions({
    queryKey: [...roundKeys.figures(roundId), "days"],
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/days", { params: { path: { round_id: roundId } } }),
      ),
  });

export const annotatorsQuery = (roundId: string) =>
  queryOptions({
    queryKey: [...roundKeys.figures(roundId), "annotators"],
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/annotators", {
          params: { path: { round_id: roundId } },
        }),
      ),
  });

export const armsQuery = (roundId: string) =>
  queryOptions({
    queryKey: [...roundKeys.figures(roundId), "arms"],
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/arms", { params: { path: { round_id: roundId } } }),
      ),
  });

export const agreementQuery = (roundId: string) =>
  queryOptions({
    queryKey: [...roundKeys.figures(roundId), "agreement"],
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/agreement", { params: { path: { round_id: roundId } } }),
      ),
  });

/** Where the browser downloads a round with all votes. */
export function exportAddress(roundId: string): string {
  return `/api/v1/rounds/${roundId}/export`;
}

/** A round that moves on shows on many pages, so everything fetched is asked for again. */
function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

export function useCreateRound(slug: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["RoundCreate"]; key: string }) =>
      unwrap(
        api.POST("/api/v1/tasks/{slug}/rounds", {
          params: { path: { slug }, header: idempotencyHeader(key) },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useChangeRound(roundId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: Schemas["RoundPatch"]) =>
      unwrap(
        api.PATCH("/api/v1/rounds/{round_id}", { params: { path: { round_id: roundId } }, body }),
      ),
    onSuccess: refresh,
  });
}

export function useOpenRound() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (roundId: string) =>
      unwrap(
        api.POST("/api/v1/rounds/{round_id}/open", { params: { path: { round_id: roundId } } }),
      ),
    onSuccess: refresh,
  });
}

export function useCloseRound() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (roundId: string) =>
      unwrap(
        api.POST("/api/v1/rounds/{round_id}/close", { params: { path: { round_id: roundId } } }),
      ),
    onSuccess: refresh,
  });
}

/** Collect again in a closed round, until somebody closes it. */
export function useReopenRound() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (roundId: string) =>
      unwrap(
        api.POST("/api/v1/rounds/{round_id}/reopen", {
          params: { path: { round_id: roundId } },
          body: { budget: {}, schedule: {} },
        }),
      ),
    onSuccess: refresh,
  });
}
