import { queryOptions, useQuery } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "./api-client";
import { useLiveQuery } from "./use-live";

export type Job = Schemas["JobRead"];

const LOOK_MS = 5_000;

export const jobKeys = {
  all: ["jobs"] as const,
  list: () => [...jobKeys.all, "list"] as const,
  one: (jobId: string) => [...jobKeys.all, "one", jobId] as const,
};

export function isGoingOn({ state }: Job): boolean {
  return state === "queued" || state === "running";
}

/** The newest jobs, asked for again only where the page cannot listen. */
const jobListQuery = (canListen: boolean) =>
  queryOptions({
    queryKey: jobKeys.list(),
    queryFn: () => unwrap(api.GET("/api/v1/jobs")),
    refetchInterval: canListen ? false : LOOK_MS,
  });

/** The newest jobs as they go on: one's own, or everybody's for administrators. */
export function useJobList() {
  const live = useLiveQuery({
    address: "/api/v1/jobs/live",
    event: "jobs",
    queryKey: jobKeys.list(),
  });
  return useQuery(jobListQuery(live.state !== "polling"));
}
