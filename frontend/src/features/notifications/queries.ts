import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";

export type Notice = Schemas["NotificationRead"];

const ADDRESS = "/api/v1/users/me/notifications";
const SECONDS_BETWEEN_LOOKS = 60;

export const notificationKeys = {
  all: ["notifications"] as const,
  list: () => [...notificationKeys.all, "list"] as const,
  unread: () => [...notificationKeys.all, "unread"] as const,
};

/** How much is unread; looked at again every minute, which costs next to nothing. */
export const unreadQuery = () =>
  queryOptions({
    queryKey: notificationKeys.unread(),
    queryFn: async () => (await unwrap(api.GET(ADDRESS))).unread,
    refetchInterval: SECONDS_BETWEEN_LOOKS * 1000,
    // A number in the corner is not worth a complaint.
    retry: false,
  });

/** What one was told, newest first, page by page. */
export const notificationsQuery = () =>
  infiniteQueryOptions({
    queryKey: notificationKeys.list(),
    queryFn: ({ pageParam: cursor }) => unwrap(api.GET(ADDRESS, { params: { query: { cursor } } })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
  });

function useLookAgain() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: notificationKeys.all });
}

export function useMarkRead() {
  return useMutation({
    mutationFn: (id: string) =>
      unwrap(
        api.POST("/api/v1/users/me/notifications/{notification_id}/read", {
          params: { path: { notification_id: id } },
        }),
      ),
    onSuccess: useLookAgain(),
  });
}

/** Mark one and all older ones; what came meanwhile stays unread. */
export function useMarkReadThrough() {
  return useMutation({
    mutationFn: (through: string) =>
      unwrap(api.POST("/api/v1/users/me/notifications/read", { body: { through } })),
    onSuccess: useLookAgain(),
  });
}
