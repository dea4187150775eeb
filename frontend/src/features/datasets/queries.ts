import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";

export type DatasetVersion = Schemas["DatasetVersionRead"];
export type ImportReport = Schemas["DatasetImportRead"];
export type PerturbationReport = Schemas["PerturbationResultRead"];
export type Job = Schemas["JobRead"];
export type Split = Schemas["Split"];
export type Kind = Schemas["TransformKind"];

const RUNNING_MS = 700;
export const SHOWN_AT_ONCE = 10;

export const datasetKeys = {
  all: ["datasets"] as const,
  list: (slug: string) => [...datasetKeys.all, "list", slug] as const,
  job: (jobId: string) => [...datasetKeys.all, "job", jobId] as const,
  report: (jobId: string) => [...datasetKeys.all, "report", jobId] as const,
  transforms: (slug: string) => [...datasetKeys.all, "transforms", slug] as const,
  items: (id: string, split: Split, after: number) =>
    [...datasetKeys.all, "items", id, split, after] as const,
  variants: (id: string, transform: string, after: number) =>
    [...datasetKeys.all, "variants", id, transform, after] as const,
};

/** `?dataset=…`; anything else is none in particular. */
export function readDatasetSearch(search: Record<string, unknown>): { dataset?: string } {
  return typeof search.dataset === "string" ? { dataset: search.dataset } : {};
}

/** So long after a version came, its variants may still be on their way. */
const SETTLING_MS = 60_000;
const SETTLING_POLL_MS = 3000;

function isSettling(versions: readonly DatasetVersion[]): boolean {
  return versions.some((one) => Date.now() - Date.parse(one.created_at) < SETTLING_MS);
}

/** All versions of a task's datasets, newest first, hidden ones too. */
export const datasetListQuery = (slug: string) =>
  queryOptions({
    queryKey: datasetKeys.list(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/datasets", { params: { path: { slug } } })),
    refetchInterval: ({ state }) => (isSettling(state.data ?? []) ? SETTLING_POLL_MS : false),
  });

/** The job that reads or varies a dataset, asked for again until it has ended. */
export const datasetJobQuery = (jobId: string) =>
  queryOptions({
    queryKey: datasetKeys.job(jobId),
    queryFn: () =>
      unwrap(api.GET("/api/v1/jobs/{job_id}", { params: { path: { job_id: jobId } } })),
    refetchInterval: ({ state }) =>
      state.data === undefined || isGoingOn(state.data) ? RUNNING_MS : false,
  });

/** What became of a file; asked for once its job is done. */
export const importReportQuery = (jobId: string) =>
  queryOptions({
    queryKey: datasetKeys.report(jobId),
    queryFn: () =>
      unwrap(api.GET("/api/v1/dataset-imports/{job_id}", { params: { path: { job_id: jobId } } })),
  });

/** What became of a perturbing job; asked for once it is done. */
export const perturbationReportQuery = (jobId: string) =>
  queryOptions({
    queryKey: datasetKeys.report(jobId),
    queryFn: () =>
      unwrap(api.GET("/api/v1/perturbations/{job_id}", { params: { path: { job_id: jobId } } })),
  });

export function isGoingOn(job: Job): boolean {
  return job.state === "queued" || job.state === "running";
}

export const transformsQuery = (slug: string) =>
  queryOptions({
    queryKey: datasetKeys.transforms(slug),
    queryFn: () =>
      unwrap(api.GET("/api/v1/tasks/{slug}/transforms", { params: { path: { slug } } })),
  });

/** Items of a split behind a position; one more than is shown tells whether more follow. */
export const itemsQuery = (versionId: string, split: Split, after: number) =>
  queryOptions({
    queryKey: datasetKeys.items(versionId, split, after),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/dataset-versions/{version_id}/items", {
          params: {
            path: { version_id: versionId },
            query: { split, after, limit: SHOWN_AT_ONCE + 1 },
          },
        }),
      ),
  });

/** What a transform made of items, behind so many. */
export const variantsQuery = (versionId: string, transform: string, after: number) =>
  queryOptions({
    queryKey: datasetKeys.variants(versionId, transform, after),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/dataset-versions/{version_id}/variants", {
          params: {
            path: { version_id: versionId },
            query: { transform, after, limit: SHOWN_AT_ONCE + 1 },
          },
        }),
      ),
  });

export function useCreateDataset(slug: string) {
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["DatasetCreate"]; key: string }) =>
      unwrap(
        api.POST("/api/v1/tasks/{slug}/datasets", {
          params: { path: { slug }, header: idempotencyHeader(key) },
          body,
        }),
      ),
  });
}

export function useChangeDataset(versionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["DatasetPatch"]) =>
      unwrap(
        api.PATCH("/api/v1/dataset-versions/{version_id}", {
          params: { path: { version_id: versionId } },
          body,
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: datasetKeys.all }),
  });
}

export function usePerturb(versionId: string) {
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["PerturbationCreate"]; key: string }) =>
      unwrap(
        api.POST("/api/v1/dataset-versions/{version_id}/perturbations", {
          params: { path: { version_id: versionId }, header: idempotencyHeader(key) },
          body,
        }),
      ),
  });
}

export function useDeleteDataset() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (versionId: string) =>
      unwrap(
        api.DELETE("/api/v1/dataset-versions/{version_id}", {
          params: { path: { version_id: versionId } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: datasetKeys.all }),
  });
}
