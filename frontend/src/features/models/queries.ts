import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";

export type Model = Schemas["ModelRead"];

const HEALTH_MS = 15_000;

export const modelKeys = {
  all: ["models"] as const,
  list: (slug: string) => [...modelKeys.all, "list", slug] as const,
  health: (modelId: string) => [...modelKeys.all, "health", modelId] as const,
};

/** The models of a task, newest first. */
export const modelListQuery = (slug: string) =>
  queryOptions({
    queryKey: modelKeys.list(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/models", { params: { path: { slug } } })),
  });

/** How a target is doing on this server. */
export const modelHealthQuery = (modelId: string) =>
  queryOptions({
    queryKey: modelKeys.health(modelId),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/models/{model_id}/health", { params: { path: { model_id: modelId } } }),
      ),
    refetchInterval: HEALTH_MS,
  });

export function useAddModel(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["ModelCreate"]; key: string }) =>
      unwrap(
        api.POST("/api/v1/tasks/{slug}/models", {
          params: { path: { slug }, header: idempotencyHeader(key) },
          body,
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: modelKeys.list(slug) }),
  });
}

/** Ask a model a trial input. */
export function useCheckModel(modelId: string) {
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/api/v1/models/{model_id}/check", { params: { path: { model_id: modelId } } }),
      ),
  });
}
