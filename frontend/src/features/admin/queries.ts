import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { jobKeys } from "../../lib/job-list";

/** What the address of the page may carry: which people are listed. */
export function readSearch({ search }: Record<string, unknown>): { search?: string } {
  return typeof search === "string" && search !== "" ? { search } : {};
}

export const adminKeys = {
  all: ["admin"] as const,
  allPeople: () => [...adminKeys.all, "people"] as const,
  people: (search: string) => [...adminKeys.allPeople(), search] as const,
  invitations: () => [...adminKeys.all, "invitations"] as const,
};

/** Everybody with an account whose name contains the search, page by page. */
export const peopleQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: adminKeys.people(search),
    queryFn: ({ pageParam: cursor }) =>
      unwrap(api.GET("/api/v1/users", { params: { query: { search, cursor } } })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
  });

export function useChangeAccount(username: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["UserAdminPatch"]) =>
      unwrap(
        api.PATCH("/api/v1/users/{username}/account", { params: { path: { username } }, body }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: adminKeys.allPeople() }),
  });
}

export function useMakePasswordLink(username: string) {
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/api/v1/users/{username}/password-reset", { params: { path: { username } } }),
      ),
  });
}

export const invitationsQuery = () =>
  queryOptions({
    queryKey: adminKeys.invitations(),
    queryFn: () => unwrap(api.GET("/api/v1/invitations")),
  });

export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (note: string) => unwrap(api.POST("/api/v1/invitations", { body: { note } })),
    onSuccess: () => client.invalidateQueries({ queryKey: adminKeys.invitations() }),
  });
}

export function useRevokeInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) =>
      unwrap(
        api.DELETE("/api/v1/invitations/{invitation_id}", {
          params: { path: { invitation_id: invitationId } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: adminKeys.invitations() }),
  });
}

export function useCancelJob() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (jobId: string) =>
      unwrap(api.POST("/api/v1/jobs/{job_id}/cancel", { params: { path: { job_id: jobId } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: jobKeys.list() }),
  });
}
