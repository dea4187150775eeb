import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, ApiProblem, NOT_UNDERSTOOD, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";
import type { ConfigSchema } from "./schema-completion";

export type Problem = Schemas["ConfigProblemRead"];
export type Check = Schemas["ConfigCheckRead"];
export type Version = Schemas["ConfigVersionRead"];

/** The JSON Schema is a document of its own, which other editors read too. */
const SCHEMA_ADDRESS = "/api/v1/task-config.schema.json";

export const configKeys = {
  all: ["config"] as const,
  versions: (slug: string) => [...configKeys.all, "versions", slug] as const,
  check: (slug: string | null, text: string) => [...configKeys.all, "check", slug, text] as const,
  schema: () => [...configKeys.all, "schema"] as const,
};

export const configVersionsQuery = (slug: string) =>
  queryOptions({
    queryKey: configKeys.versions(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/configs", { params: { path: { slug } } })),
  });

/** Everything that is wrong with a text; the same text is asked about once. */
export const configCheckQuery = (slug: string | null, text: string) =>
  queryOptions({
    queryKey: configKeys.check(slug, text),
    queryFn: () =>
      unwrap(api.POST("/api/v1/task-config-checks", { body: { config: text, task_slug: slug } })),
    staleTime: Infinity,
    gcTime: 60_000,
  });

/** What may be written where. */
export const configSchemaQuery = () =>
  queryOptions({
    queryKey: configKeys.schema(),
    queryFn: async () => {
      const response = await globalThis.fetch(SCHEMA_ADDRESS);
      if (!response.ok) throw new ApiProblem({ status: response.status, code: NOT_UNDERSTOOD });
      return (await response.json()) as ConfigSchema;
    },
    staleTime: Infinity,
  });

/** After a change of a task's config: everything that showed it asks anew. */
function useForgetTask() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== "check" });
}

export function useStoreConfig(slug: string) {
  return useMutation({
    mutationFn: (body: Schemas["ConfigUpdate"]) =>
      unwrap(api.POST("/api/v1/tasks/{slug}/configs", { params: { path: { slug } }, body })),
    onSuccess: useForgetTask(),
  });
}

export function useActivateConfig(slug: string) {
  return useMutation({
    mutationFn: (version: number) =>
      unwrap(
        api.POST("/api/v1/tasks/{slug}/configs/{version}/activate", {
          params: { path: { slug, version } },
        }),
      ),
    onSuccess: useForgetTask(),
  });
}

export function useCreateTask() {
  return useMutation({
    mutationFn: ({ key, ...body }: Schemas["TaskCreate"] & { key: string }) =>
      unwrap(api.POST("/api/v1/tasks", { params: { header: idempotencyHeader(key) }, body })),
    onSuccess: useForgetTask(),
  });
}
