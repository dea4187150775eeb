import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";
import type { BoardAsked } from "./board-search";

export type Board = Schemas["BoardRead"];
export type BoardRow = Schemas["BoardRow"];
export type BoardModel = Schemas["BoardModelRead"];
export type Figure = Schemas["FigureRead"];
export type MetricColumn = Schemas["MetricColumnRead"];
export type History = Schemas["HistoryRead"];
export type HistoryColumn = Schemas["HistoryColumn"];

const boardKeys = {
  all: (slug: string) => ["boards", slug] as const,
  live: (slug: string, asked: BoardAsked) => [...boardKeys.all(slug), "live", asked] as const,
  view: (slug: string, view: string, asked: object) =>
    [...boardKeys.all(slug), view, asked] as const,
  saved: (boardId: string) => ["saved-boards", boardId] as const,
};

/** Fresh figures are looked for while the shown ones are behind. */
const BEHIND_MILLISECONDS = 3000;

/** A board page by page; while other weights are fetched the rows stay where they are. */
export const boardQuery = (slug: string, asked: BoardAsked) =>
  infiniteQueryOptions({
    queryKey: boardKeys.live(slug, asked),
    queryFn: ({ pageParam }) =>
      unwrap(
        api.GET("/api/v1/tasks/{slug}/board", {
          params: {
            path: { slug },
            query: { ...asked, ...(pageParam === null ? {} : { cursor: pageParam }) },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.is_current === false ? BEHIND_MILLISECONDS : false,
  });

export const paretoQuery = (slug: string, metric: string, asked: BoardAsked) =>
  queryOptions({
    queryKey: boardKeys.view(slug, "pareto", { ...asked, metric }),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/tasks/{slug}/board-pareto", {
          params: { path: { slug }, query: { ...asked, metric } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const historyQuery = (slug: string) =>
  queryOptions({
    queryKey: boardKeys.view(slug, "history", {}),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/history", { params: { path: { slug } } })),
  });

export const boardTagsQuery = (slug: string, dataset: string | undefined) =>
  queryOptions({
    queryKey: boardKeys.view(slug, "tags", { dataset }),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/tasks/{slug}/board-tags", {
          params: { path: { slug }, query: dataset === undefined ? {} : { dataset } },
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const savedBoardsQuery = (slug: string) =>
  queryOptions({
    queryKey: boardKeys.view(slug, "saved", {}),
    queryFn: () => unwrap(api.GET("/api/v1/tasks/{slug}/boards", { params: { path: { slug } } })),
  });

export const savedBoardQuery = (boardId: string) =>
  queryOptions({
    queryKey: boardKeys.saved(boardId),
    queryFn: () =>
      unwrap(api.GET("/api/v1/boards/{board_id}", { params: { path: { board_id: boardId } } })),
  });

export function useSaveBoard(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: { body: Schemas["BoardCreate"]; key: string }) =>
      unwrap(
        api.POST("/api/v1/tasks/{slug}/boards", {
          params: { path: { slug } },
          headers: idempotencyHeader(key),
          body,
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: boardKeys.all(slug) }),
  });
}

export function useDeleteBoard(slug: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (boardId: string) =>
      unwrap(api.DELETE("/api/v1/boards/{board_id}", { params: { path: { board_id: boardId } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: boardKeys.all(slug) }),
  });
}
