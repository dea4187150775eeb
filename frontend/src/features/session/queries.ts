import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, unwrap } from "../../lib/api-client";

export const sessionKeys = {
  all: ["session"] as const,
};

/** Who is signed in here; asked once, and again when somebody signs in or out. */
export const sessionQuery = () =>
  queryOptions({
    queryKey: sessionKeys.all,
    queryFn: () => unwrap(api.GET("/api/v1/session")),
    staleTime: Infinity,
  });

/** Sign out; everything fetched as that person is forgotten. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(api.DELETE("/api/v1/session")),
    onSuccess: () => client.resetQueries(),
  });
}
