import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";

export type Job = Schemas["JobRead"];

const RUNNING_MS = 1_500;
const LIST_MS = 5_000;

export const jobKeys = {
  all: ["jobs"] as const,
  list: () => [...jobKeys.all, "list"] as const,
  one: (jobId: string) => [...jobKeys.all, "one", jobId] as const,
};

export function isGoingOn(job: Job): boolean {
  return job.state === "queued" || job.state === "running";
}

/** The newest jobs: one's own, or everybody's for administrators. */
export const jobListQuery = () =>
  queryOptions({
    queryKey: jobKeys.list(),
    queryFn: () => unwrap(api.GET("/api/v1/jobs")),
    refetchInterval: ({ state }) => (state.data?.some(isGoingOn) === true ? LIST_MS : false),
  });

/** A job, asked for again until it has ended, unless the server tells of it. */
export const jobQuery = (jobId: string, isHeard: boolean) =>
  queryOptions({
    queryKey: jobKeys.one(jobId),
    queryFn: () =>
      unwrap(api.GET("/api/v1/jobs/{job_id}", { params: { path: { job_id: jobId } } })),
    refetchInterval: ({ state }) =>
      !isHeard && (state.data === undefined || isGoingOn(state.data)) ? RUNNING_MS : false,
  });

export function useCancelJob(jobId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(api.POST("/api/v1/jobs/{job_id}/cancel", { params: { path: { job_id: jobId } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: jobKeys.all }),
  });
}
