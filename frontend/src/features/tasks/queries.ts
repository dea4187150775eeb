import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, unwrap } from "../../lib/api-client";

export const taskKeys = {
  all: ["tasks"] as const,
  list: () => [...taskKeys.all, "list"] as const,
  one: (slug: string) => [...taskKeys.all, "one", slug] as const,
  currentRounds: () => [...taskKeys.all, "current-rounds"] as const,
  currentRound: (slug: string) => [...taskKeys.all, "current-round", slug] as const,
  rounds: (slug: string) => [...taskKeys.all, "rounds", slug] as const,
  datasets: (slug: string) => [...taskKeys.all, "datasets", slug] as const,
  preferences: (slug: string) => [...taskKeys.all, "preferences", slug] as const,
  round: (roundId: string, what: string) => [...taskKeys.all, "round", roundId, what] as const,
};

export const taskListQuery = () =>
  queryOptions({
    queryKey: taskKeys.list(),
    queryFn: () => unwrap(api.GET("/api/v1/tasks")),
  });

export const taskQuery = (slug: string) =>
  queryOptions({
    queryKey: taskKeys.one(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}", { params: { path: { slug } } })),
  });

/** Each task's latest round with how hard its target is today. */
export const currentRoundsQuery = () =>
  queryOptions({
    queryKey: taskKeys.currentRounds(),
    queryFn: () => unwrap(api.GET("/api/v1/current-rounds")),
  });

export const currentRoundQuery = (slug: string) =>
  queryOptions({
    queryKey: taskKeys.currentRound(slug),
    queryFn: async () => {
      const params = { path: { slug } };
      const current = await unwrap(api.GET("/api/v1/tasks/{slug}/current-round", { params }));
      // A query's data is never undefined; before the first round it is null.
      return current ?? null;
    },
  });

export const roundsQuery = (slug: string) =>
  queryOptions({
    queryKey: taskKeys.rounds(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/rounds", { params: { path: { slug } } })),
  });

export const datasetsQuery = (slug: string) =>
  queryOptions({
    queryKey: taskKeys.datasets(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/datasets", { params: { path: { slug } } })),
  });

export const preferencesQuery = (slug: string) =>
  queryOptions({
    queryKey: taskKeys.preferences(slug),
    queryFn: () =>
      unwrap(api.GET("/api/v1/tasks/{slug}/preferences", { params: { path: { slug } } })),
  });

const ofRound = (roundId: string) => ({ params: { path: { round_id: roundId } } });

export const errorRateQuery = (roundId: string) =>
  queryOptions({
    queryKey: taskKeys.round(roundId, "error-rate"),
    queryFn: () => unwrap(api.GET("/api/v1/rounds/{round_id}/error-rate", ofRound(roundId))),
  });

export const annotatorsQuery = (roundId: string) =>
  queryOptions({
    queryKey: taskKeys.round(roundId, "annotators"),
    queryFn: () => unwrap(api.GET("/api/v1/rounds/{round_id}/annotators", ofRound(roundId))),
  });

export const agreementQuery = (roundId: string) =>
  queryOptions({
    queryKey: taskKeys.round(roundId, "agreement"),
    queryFn: () => unwrap(api.GET("/api/v1/rounds/{round_id}/agreement", ofRound(roundId))),
  });

export const daysQuery = (roundId: string) =>
  queryOptions({
    queryKey: taskKeys.round(roundId, "days"),
    queryFn: () => unwrap(api.GET("/api/v1/rounds/{round_id}/days", ofRound(roundId))),
  });

/** Show a draft to everybody and let its rounds open. */
export function useActivateTask(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(api.POST("/api/v1/tasks/{slug}/activate", { params: { path: { slug } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: taskKeys.all }),
  });
}
