import { QueryClient } from "@tanstack/react-query";

import { isWorthRetrying } from "../lib/api-client";

const MOST_RETRIES = 2;

/** A refetch on focus would move what someone reads or types beside, so pages ask for it. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < MOST_RETRIES && isWorthRetrying(error),
      },
      mutations: { retry: false },
    },
  });
}
