import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, unwrap } from "../../lib/api-client";
import { isGoingOn, jobKeys } from "../../lib/job-list";

const RUNNING_MS = 1_500;

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
