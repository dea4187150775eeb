import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { asItemQuery, type ItemFilters } from "./item-search";

export type Evaluation = Schemas["EvaluationRead"];
export type EvaluationItem = Schemas["EvaluationItemRead"];
export type Comparison = Schemas["ComparisonRead"];
export type DatasetComparison = Schemas["DatasetComparisonRead"];
export type ComparedItem = Schemas["ComparedItemRead"];
export type Advantage = Schemas["Advantage"];

const LIVE_MS = 2_000;

export const evaluationKeys = {
  all: ["evaluations"] as const,
  ofModel: (modelId: string) => [...evaluationKeys.all, "of-model", modelId] as const,
  items: (evaluationId: string, filters: ItemFilters) =>
    [...evaluationKeys.all, "items", evaluationId, filters] as const,
  comparison: (left: string, right: string) =>
    [...evaluationKeys.all, "comparison", left, right] as const,
  differing: (choice: DifferingChoice) => [...evaluationKeys.all, "differing", choice] as const,
  log: (jobId: string) => [...evaluationKeys.all, "log", jobId] as const,
};

/**
 * A model on every dataset; asked for again while one is being scored, and for somebody who
 * waits for the first ones while there is none.
 */
export const evaluationListQuery = (modelId: string, isAwaited = false) =>
  queryOptions({
    queryKey: evaluationKeys.ofModel(modelId),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/models/{model_id}/evaluations", {
          params: { path: { model_id: modelId } },
        }),
      ),
    refetchInterval: ({ state: { data } }) =>
      data?.some((one) => one.state === "pending") === true || (isAwaited && data?.length === 0)
        ? LIVE_MS
        : false,
  });

/** What a model answered, in the dataset's order, page by page. */
export const itemListQuery = (evaluationId: string, filters: ItemFilters) =>
  infiniteQueryOptions({
    queryKey: evaluationKeys.items(evaluationId, filters),
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/api/v1/evaluations/{evaluation_id}/items", {
          params: {
            path: { evaluation_id: evaluationId },
            query: { ...asItemQuery(filters), cursor: pageParam },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
  });

/** Two models on every dataset that both are scored on. */
export const comparisonQuery = (left: string, right: string) =>
  queryOptions({
    queryKey: evaluationKeys.comparison(left, right),
    queryFn: () => unwrap(api.GET("/api/v1/comparisons", { params: { query: { left, right } } })),
  });

export interface DifferingChoice {
  left: string;
  right: string;
  dataset_version_id: string;
  split: Schemas["Split"];
  better: Advantage;
}

/** The items on which two models differ, page by page. */
export const differingQuery = (choice: DifferingChoice) =>
  infiniteQueryOptions({
    queryKey: evaluationKeys.differing(choice),
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/api/v1/comparisons/items", {
          params: { query: { ...choice, cursor: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? null,
  });

/** What a scoring job wrote down. */
export const jobLogQuery = (jobId: string) =>
  queryOptions({
    queryKey: evaluationKeys.log(jobId),
    queryFn: () =>
      unwrap(api.GET("/api/v1/jobs/{job_id}/log", { params: { path: { job_id: jobId } } })),
  });

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: evaluationKeys.all });
}

/** Go on with an evaluation that failed or was cancelled. */
export function useRetryEvaluation() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (evaluationId: string) =>
      unwrap(
        api.POST("/api/v1/evaluations/{evaluation_id}/retry", {
          params: { path: { evaluation_id: evaluationId } },
        }),
      ),
    onSettled: refresh,
  });
}

export function useCancelEvaluation() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (evaluationId: string) =>
      unwrap(
        api.POST("/api/v1/evaluations/{evaluation_id}/cancel", {
          params: { path: { evaluation_id: evaluationId } },
        }),
      ),
    onSettled: refresh,
  });
}
