import { useMutation, useQueryClient } from "@tanstack/react-query";

import { api, unwrap } from "../../lib/api-client";

/** Become a member of the task that a link belongs to; doing it twice changes nothing. */
export function useJoin(secret: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(api.POST("/api/v1/join-links/{secret}", { params: { path: { secret } } })),
    // What the reader may see has grown.
    onSuccess: () => client.invalidateQueries(),
  });
}
