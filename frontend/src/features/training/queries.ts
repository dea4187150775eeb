import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";

export const trainingKeys = {
  all: ["training"] as const,
  recipes: (slug: string) => [...trainingKeys.all, "recipes", slug] as const,
};

/** The ways to train a model for a task. */
export const recipeListQuery = (slug: string) =>
  queryOptions({
    queryKey: trainingKeys.recipes(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/recipes", { params: { path: { slug } } })),
  });

/** Start a training; answers with the job that does it. */
export function useTrain(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["TrainingRequest"]; key: string }) =>
      unwrap(
        api.POST("/api/v1/tasks/{slug}/trainings", {
          params: { path: { slug }, header: idempotencyHeader(key) },
          body,
        }),
      ),
    onSuccess: () => client.invalidateQueries(),
  });
}
