import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";

export type GalleryEntry = Schemas["GalleryEntryRead"];

export const galleryKeys = {
  all: ["gallery"] as const,
};

/** The tasks that an administrator can add. */
export const galleryQuery = () =>
  queryOptions({
    queryKey: galleryKeys.all,
    queryFn: () => unwrap(api.GET("/api/v1/gallery")),
  });

/** Ask for a task to be added; answers with the job that does it. */
export function useAddTask(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["GalleryAdd"]; key: string }) =>
      unwrap(
        api.POST("/api/v1/gallery/{name}", {
          params: { path: { name }, header: idempotencyHeader(key) },
          body,
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ["jobs"] }),
  });
}
