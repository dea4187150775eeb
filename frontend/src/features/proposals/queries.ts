import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";
import type { Status } from "./status-filter";

export type Proposal = Schemas["ProposalRead"];
export type ProposalSummary = Schemas["ProposalSummaryRead"];
export type Decision = Schemas["ProposalDecision"];

export const proposalKeys = {
  all: ["proposals"] as const,
  list: (status: Status | null) => [...proposalKeys.all, "list", status] as const,
  one: (id: string) => [...proposalKeys.all, "one", id] as const,
};

/** One's own proposals, for administrators everybody's, newest first, page by page. */
export const proposalsQuery = (status: Status | null) =>
  infiniteQueryOptions({
    queryKey: proposalKeys.list(status),
    queryFn: ({ pageParam: cursor }) =>
      unwrap(api.GET("/api/v1/proposals", { params: { query: { status, cursor } } })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
  });

export const proposalQuery = (id: string) =>
  queryOptions({
    queryKey: proposalKeys.one(id),
    queryFn: () =>
      unwrap(api.GET("/api/v1/proposals/{proposal_id}", { params: { path: { proposal_id: id } } })),
  });

/** Whether it worked or not, what is shown may be old: a refusal often says just that. */
function useLookAgain() {
  const client = useQueryClient();
  return () => {
    // Not waited for: what was sent is done before what is shown comes anew.
    void client.invalidateQueries({ queryKey: proposalKeys.all });
    void client.invalidateQueries({ queryKey: ["tasks"] });
  };
}

export function usePropose() {
  return useMutation({
    mutationFn: ({ key, ...body }: Schemas["ProposalCreate"] & { key: string }) =>
      unwrap(api.POST("/api/v1/proposals", { params: { header: idempotencyHeader(key) }, body })),
    onSettled: useLookAgain(),
  });
}

export function useRevise(id: string) {
  return useMutation({
    mutationFn: (body: Schemas["ProposalPatch"]) =>
      unwrap(
        api.PATCH("/api/v1/proposals/{proposal_id}", {
          params: { path: { proposal_id: id } },
          body,
        }),
      ),
    onSettled: useLookAgain(),
  });
}

export function useWithdraw(id: string) {
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/api/v1/proposals/{proposal_id}/withdrawal", {
          params: { path: { proposal_id: id } },
        }),
      ),
    onSettled: useLookAgain(),
  });
}

export function useDecide(id: string) {
  return useMutation({
    mutationFn: ({ key, ...body }: Decision & { key: string }) =>
      unwrap(
        api.POST("/api/v1/proposals/{proposal_id}/decisions", {
          params: { path: { proposal_id: id }, header: idempotencyHeader(key) },
          body,
        }),
      ),
    onSettled: useLookAgain(),
  });
}
