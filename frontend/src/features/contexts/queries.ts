import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";

export type Context = Schemas["ContextRead"];

export const contextKeys = {
  all: ["contexts"] as const,
  tags: (slug: string) => [...contextKeys.all, "tags", slug] as const,
  list: (slug: string, tag: string | null) => [...contextKeys.all, "list", slug, tag] as const,
};

export const contextTagsQuery = (slug: string) =>
  queryOptions({
    queryKey: contextKeys.tags(slug),
    queryFn: () =>
      unwrap(api.GET("/api/v1/tasks/{slug}/context-tags", { params: { path: { slug } } })),
  });

/** A task's contexts, page by page; all tags where none is named. */
export const contextListQuery = (slug: string, tag: string | null) =>
  infiniteQueryOptions({
    queryKey: contextKeys.list(slug, tag),
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/api/v1/tasks/{slug}/contexts", {
          params: { path: { slug }, query: { tag, cursor: pageParam } },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

export function useRetireContext() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (contextId: string) =>
      unwrap(
        api.DELETE("/api/v1/contexts/{context_id}", {
          params: { path: { context_id: contextId } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: contextKeys.all }),
  });
}
