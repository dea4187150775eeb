import { queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "../../lib/api-client";

export const taskKeys = {
  all: ["tasks"] as const,
  list: () => [...taskKeys.all, "list"] as const,
};

export const taskListQuery = () =>
  queryOptions({
    queryKey: taskKeys.list(),
    queryFn: () => unwrap(api.GET("/api/v1/tasks")),
  });
