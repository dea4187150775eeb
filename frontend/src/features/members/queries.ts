import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";

export type Role = Schemas["TaskRole"];
export const ROLES: readonly Role[] = ["owner", "expert", "annotator"];

export const memberKeys = {
  all: ["members"] as const,
  list: (slug: string) => [...memberKeys.all, "list", slug] as const,
  links: (slug: string) => [...memberKeys.all, "links", slug] as const,
};

export const memberListQuery = (slug: string) =>
  queryOptions({
    queryKey: memberKeys.list(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/members", { params: { path: { slug } } })),
  });

export const joinLinksQuery = (slug: string) =>
  queryOptions({
    queryKey: memberKeys.links(slug),
    queryFn: () =>
      unwrap(api.GET("/api/v1/tasks/{slug}/join-links", { params: { path: { slug } } })),
  });

export function useSetMember(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ username, role }: { username: string; role: Role }) =>
      unwrap(
        api.PUT("/api/v1/tasks/{slug}/members/{username}", {
          params: { path: { slug, username } },
          body: { role },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: memberKeys.list(slug) }),
  });
}

export function useRemoveMember(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (username: string) =>
      unwrap(
        api.DELETE("/api/v1/tasks/{slug}/members/{username}", {
          params: { path: { slug, username } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: memberKeys.list(slug) }),
  });
}

export function useCreateJoinLink(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["JoinLinkCreate"]) =>
      unwrap(api.POST("/api/v1/tasks/{slug}/join-links", { params: { path: { slug } }, body })),
    onSuccess: () => client.invalidateQueries({ queryKey: memberKeys.links(slug) }),
  });
}

export function useRevokeJoinLink(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (linkId: string) =>
      unwrap(
        api.DELETE("/api/v1/tasks/{slug}/join-links/{link_id}", {
          params: { path: { slug, link_id: linkId } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: memberKeys.links(slug) }),
  });
}

/** Change who takes part: everybody who is signed in or members alone, and visitors who play. */
export function useParticipation(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["TaskPatch"]) =>
      unwrap(api.PATCH("/api/v1/tasks/{slug}", { params: { path: { slug } }, body })),
    onSuccess: () => client.invalidateQueries(),
  });
}
