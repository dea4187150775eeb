import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";

export type Model = Schemas["ModelRead"];

const HEALTH_MS = 15_000;
const LIVE_MS = 1_500;

export const modelKeys = {
  all: ["models"] as const,
  list: (slug: string) => [...modelKeys.all, "list", slug] as const,
  one: (modelId: string) => [...modelKeys.all, "one", modelId] as const,
  health: (modelId: string) => [...modelKeys.all, "health", modelId] as const,
};

/** The models of a task, newest first. */
export const modelListQuery = (slug: string) =>
  queryOptions({
    queryKey: modelKeys.list(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/models", { params: { path: { slug } } })),
  });

/** Whether a model's check has yet to end. */
export function isBeingChecked({ status }: Model): boolean {
  return status === "submitted" || status === "checking";
}

/** A model, asked for again until it is checked. */
export const modelQuery = (modelId: string) =>
  queryOptions({
    queryKey: modelKeys.one(modelId),
    queryFn: () =>
      unwrap(api.GET("/api/v1/models/{model_id}", { params: { path: { model_id: modelId } } })),
    refetchInterval: ({ state }) =>
      state.data !== undefined && isBeingChecked(state.data) ? LIVE_MS : false,
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

/** Hand a model in; its files or its check follow. */
export function useSubmitModel(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["SubmissionCreate"]; key: string }) =>
      unwrap(
        api.POST("/api/v1/tasks/{slug}/submissions", {
          params: { path: { slug }, header: idempotencyHeader(key) },
          body,
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: modelKeys.list(slug) }),
  });
}

/** Change what is said of a model, publish or withdraw it. */
export function useChangeModel(modelId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ModelPatch"]) =>
      unwrap(
        api.PATCH("/api/v1/models/{model_id}", {
          params: { path: { model_id: modelId } },
          body,
        }),
      ),
    // Boards and lists show the model too.
    onSuccess: () => client.invalidateQueries(),
  });
}

export function useDeleteModel(modelId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(api.DELETE("/api/v1/models/{model_id}", { params: { path: { model_id: modelId } } })),
    onSuccess: () => {
      client.removeQueries({ queryKey: modelKeys.one(modelId) });
      return client.invalidateQueries({ queryKey: modelKeys.all });
    },
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
