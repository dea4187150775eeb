import { queryOptions } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";

export type Numbers = Schemas["RoundNumbersRead"];

export const liveKeys = {
  all: ["live"] as const,
  round: (roundId: string) => [...liveKeys.all, "round", roundId] as const,
  task: (slug: string) => [...liveKeys.all, "task", slug] as const,
};

/** How a round goes, as of now. */
export const roundNumbersQuery = (roundId: string) =>
  queryOptions({
    queryKey: liveKeys.round(roundId),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/numbers", {
          params: { path: { round_id: roundId } },
        }),
      ),
  });

/** How a task's latest round goes, as of now. */
export const taskNumbersQuery = (slug: string) =>
  queryOptions({
    queryKey: liveKeys.task(slug),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/numbers", { params: { path: { slug } } })),
  });
