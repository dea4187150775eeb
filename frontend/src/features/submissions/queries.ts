import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";

export type Submission = Schemas["ModelRead"];
export type Allowance = Schemas["AllowanceRead"];

const LIVE_MS = 2_000;

export const submissionKeys = {
  all: ["submissions"] as const,
  allowance: (slug: string) => [...submissionKeys.all, "allowance", slug] as const,
  log: (modelId: string) => [...submissionKeys.all, "log", modelId] as const,
};

/** Where a model's files go. */
export function artifactPath(modelId: string): string {
  return `/api/v1/models/${encodeURIComponent(modelId)}/artifact`;
}

/** Where a model's answers to a dataset go. */
export function predictionsPath(modelId: string, versionId: string): string {
  return `/api/v1/models/${encodeURIComponent(modelId)}/predictions/${encodeURIComponent(versionId)}`;
}

/** What the reader may still submit to a task today. */
export const allowanceQuery = (slug: string) =>
  queryOptions({
    queryKey: submissionKeys.allowance(slug),
    queryFn: () =>
      unwrap(api.GET("/api/v1/tasks/{slug}/submission-allowance", { params: { path: { slug } } })),
  });

/** What a model's check wrote down; asked for again while it goes on. */
export const checkLogQuery = (modelId: string, isGoingOn: boolean) =>
  queryOptions({
    queryKey: submissionKeys.log(modelId),
    queryFn: () =>
      unwrap(api.GET("/api/v1/models/{model_id}/log", { params: { path: { model_id: modelId } } })),
    refetchInterval: isGoingOn ? LIVE_MS : false,
  });

/** A model that changed stands in several lists, so all that is fetched is asked for again. */
export function useRefreshModels() {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

/** Have a model checked again. */
export function useRetryCheck(modelId: string) {
  const refresh = useRefreshModels();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/api/v1/models/{model_id}/retry", { params: { path: { model_id: modelId } } }),
      ),
    onSuccess: refresh,
  });
}
