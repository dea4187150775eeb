import {
  keepPreviousData,
  queryOptions,
  skipToken,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";

export type Recipe = Schemas["RecipeRead"];
export type Training = Schemas["TrainingRead"];
export type TrainingOrder = Schemas["TrainingRequest"];

const RUNNING_MS = 1_500;

export const trainingKeys = {
  all: ["training"] as const,
  recipes: (slug: string) => [...trainingKeys.all, "recipes", slug] as const,
  list: (slug: string) => [...trainingKeys.all, "list", slug] as const,
  log: (slug: string, id: string) => [...trainingKeys.all, "log", slug, id] as const,
  plan: (slug: string, order: TrainingOrder | null) =>
    [...trainingKeys.all, "plan", slug, order] as const,
};

export function isGoingOn({ state }: Training): boolean {
  return state === "queued" || state === "running";
}

/** The ways to train a model for a task. */
export const recipeListQuery = (slug: string) =>
  queryOptions({
    queryKey: trainingKeys.recipes(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/recipes", { params: { path: { slug } } })),
  });

/** A task's newest trainings; `useTrainingNews` keeps them new. */
export const trainingListQuery = (slug: string) =>
  queryOptions({
    queryKey: trainingKeys.list(slug),
    queryFn: () =>
      unwrap(api.GET("/api/v1/tasks/{slug}/trainings", { params: { path: { slug } } })),
  });

/** What a training has logged, asked for again while it goes on and nobody tells. */
export const trainingLogQuery = (slug: string, training: Training, isHeard: boolean) =>
  queryOptions({
    queryKey: trainingKeys.log(slug, training.id),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/tasks/{slug}/trainings/{training_id}/log", {
          params: { path: { slug, training_id: training.id } },
        }),
      ),
    refetchInterval: isGoingOn(training) && !isHeard ? RUNNING_MS : false,
  });

/** What an order would learn from; nothing while the form does not hold together. */
export const trainingPlanQuery = (slug: string, order: TrainingOrder | null) =>
  queryOptions({
    queryKey: trainingKeys.plan(slug, order),
    queryFn:
      order === null
        ? skipToken
        : () =>
            unwrap(
              api.POST("/api/v1/tasks/{slug}/training-plan", {
                params: { path: { slug } },
                body: order,
              }),
            ),
    placeholderData: keepPreviousData,
    retry: false,
  });

/** Start a training; answers with the job that does it. */
export function useTrain(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: TrainingOrder; key: string }) =>
      unwrap(
        api.POST("/api/v1/tasks/{slug}/trainings", {
          params: { path: { slug }, header: idempotencyHeader(key) },
          body,
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: trainingKeys.list(slug) }),
  });
}

/** Stop a training, or go on with one that was stopped. */
export function useSteering(slug: string, trainingId: string) {
  const client = useQueryClient();
  const params = { path: { slug, training_id: trainingId } };
  const onSuccess = () => client.invalidateQueries({ queryKey: trainingKeys.list(slug) });
  const cancel = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/api/v1/tasks/{slug}/trainings/{training_id}/cancel", { params })),
    onSuccess,
  });
  const resume = useMutation({
    mutationFn: () =>
      unwrap(api.POST("/api/v1/tasks/{slug}/trainings/{training_id}/resume", { params })),
    onSuccess,
  });
  return { cancel, resume };
}
