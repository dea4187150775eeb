import { queryOptions, useQuery } from "@tanstack/react-query";

import { api, ApiProblem, type Schemas, unwrap } from "./api-client";
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

/** A job's failure as those of requests are, so that it is shown like them. */
export function jobProblem(detail: string, told: Schemas["Told"] | null | undefined): ApiProblem {
  const { code, values } = told ?? { code: "jobs.failed", values: {} };
  return new ApiProblem({ status: 409, code, detail, facts: values });
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
