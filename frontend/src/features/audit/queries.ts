import { infiniteQueryOptions } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";

export type Entry = Schemas["AuditEntryRead"];

export interface AuditFilter {
  who: string;
  act: string;
}

/** What can be done, as the first word of an act says it. */
export const KINDS = [
  "account",
  "token",
  "invitation",
  "password_reset",
  "task",
  "member",
  "join_link",
  "round",
  "dataset",
  "dataset_version",
  "model",
  "board",
  "void",
  "expert_decision",
] as const;

/** Who changed what, newest first: everywhere, or in one task. */
export const auditQuery = (slug: string | null, { who, act }: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ["audit", slug, who, act],
    queryFn: ({ pageParam: cursor }) => {
      const query = { who: who || null, act: act || null, cursor };
      return slug === null
        ? unwrap(api.GET("/api/v1/audit", { params: { query } }))
        : unwrap(api.GET("/api/v1/tasks/{slug}/audit", { params: { path: { slug }, query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
  });
