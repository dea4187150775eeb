import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { datasetKeys } from "./queries";

export type Archive = Schemas["ArchiveRead"];

const MAKING_MS = 1000;

const archiveKeys = {
  all: [...datasetKeys.all, "archive"] as const,
  of: (versionId: string) => [...archiveKeys.all, versionId] as const,
};

/** A version, whoever may see it. */
export const datasetQuery = (versionId: string) =>
  queryOptions({
    queryKey: [...datasetKeys.all, "version", versionId],
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/dataset-versions/{version_id}", {
          params: { path: { version_id: versionId } },
        }),
      ),
  });

/** What experts found of a version's suspected answers. */
export const errataQuery = (versionId: string) =>
  queryOptions({
    queryKey: [...datasetKeys.all, "errata", versionId],
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/dataset-versions/{version_id}/errata", {
          params: { path: { version_id: versionId } },
        }),
      ),
  });

/** How far a version's file is, asked for again while it is being made. */
export const archiveQuery = (versionId: string) =>
  queryOptions({
    queryKey: archiveKeys.of(versionId),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/dataset-versions/{version_id}/archive/state", {
          params: { path: { version_id: versionId } },
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.state === "making" ? MAKING_MS : false),
  });

export function useMakeArchive(versionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/api/v1/dataset-versions/{version_id}/archive", {
          params: { path: { version_id: versionId } },
        }),
      ),
    onSuccess: (told) => {
      client.setQueryData(archiveQuery(versionId).queryKey, told);
    },
  });
}

export function useOpenTest(versionId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/api/v1/dataset-versions/{version_id}/open-test", {
          params: { path: { version_id: versionId } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: datasetKeys.all }),
  });
}
