import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import type { ChatVerdict } from "../../components/ui/fields/chat-port";
import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";

/** Where a conversation stands; `tries` tells the next one from those that were submitted. */
export interface ChatPlace {
  round: string;
  context: string;
  field: string;
  tries: number;
}

/** The conversation that was begun here, else a new one. */
export const chatQuery = (place: ChatPlace) =>
  queryOptions({
    queryKey: ["chat", place] as const,
    queryFn: () =>
      unwrap(
        api.POST("/api/v1/rounds/{round_id}/chats", {
          params: { path: { round_id: place.round } },
          body: { context_id: place.context, field_name: place.field },
        }),
      ),
    staleTime: Infinity,
  });

/** What changes a conversation gives it back as it is then. */
function useKeep(place: ChatPlace) {
  const client = useQueryClient();
  const { queryKey } = chatQuery(place);
  return {
    onSuccess: (chat: Schemas["ChatRead"]) => client.setQueryData(queryKey, chat),
    // It may have gone on in another window: what is shown is brought up to it.
    onError: () => client.invalidateQueries({ queryKey }),
  };
}

interface Message {
  chat: string;
  text: string;
  key: string;
}

export function useSay(place: ChatPlace) {
  return useMutation({
    mutationFn: ({ chat, text, key }: Message) =>
      unwrap(
        api.POST("/api/v1/chats/{chat_id}/turns", {
          params: { path: { chat_id: chat }, header: idempotencyHeader(key) },
          body: { text },
        }),
      ),
    ...useKeep(place),
  });
}

interface TurnName {
  chat: string;
  number: number;
}

export function useRegenerate(place: ChatPlace) {
  return useMutation({
    mutationFn: ({ chat, number, key }: TurnName & { key: string }) =>
      unwrap(
        api.POST("/api/v1/chats/{chat_id}/turns/{number}/regenerate", {
          params: { path: { chat_id: chat, number }, header: idempotencyHeader(key) },
        }),
      ),
    ...useKeep(place),
  });
}

export function useChoose(place: ChatPlace) {
  return useMutation({
    // One after the other, so that the last choice is the one that stays.
    scope: { id: `chat ${place.context}` },
    mutationFn: ({ chat, number, verdict }: TurnName & { verdict: ChatVerdict }) =>
      unwrap(
        api.PUT("/api/v1/chats/{chat_id}/turns/{number}", {
          params: { path: { chat_id: chat, number } },
          body: {
            choice: verdict.choice,
            ratings: verdict.ratings.some((one) => one !== null) ? [...verdict.ratings] : null,
          },
        }),
      ),
    ...useKeep(place),
  });
}

/** Talk with a task's models without an account; the whole conversation goes along each time. */
export function useTryReplies(slug: string) {
  return useMutation({
    mutationFn: (body: Schemas["TryRepliesCreate"]) =>
      unwrap(api.POST("/api/v1/tasks/{slug}/tries/replies", { params: { path: { slug } }, body })),
  });
}
