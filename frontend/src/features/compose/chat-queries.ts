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

/** What changes a conversation gives it back as it is then; changes are made one by one. */
function useKeep(place: ChatPlace) {
  const client = useQueryClient();
  const { queryKey } = chatQuery(place);
  const mutationKey = ["change", ...queryKey];
  return {
    mutationKey,
    // In their order, so that a message never overtakes the choice before it.
    scope: { id: `chat ${place.context}` },
    onSuccess: (chat: Schemas["ChatRead"]) => {
      // What waits was shown already; an answer from before it would take it back.
      if (client.isMutating({ mutationKey }) > 1) return;
      client.setQueryData(queryKey, chat);
    },
    // It may have gone on in another window: what is shown is brought up to it.
    onError: () => client.invalidateQueries({ queryKey }),
  };
}

interface Message {
  text: string;
  key: string;
}

/** Say something; whoever is faster than the beginning of the conversation waits for it. */
export function useSay(place: ChatPlace) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ text, key }: Message) => {
      const { id } = await client.query({ ...chatQuery(place), staleTime: "static" });
      return unwrap(
        api.POST("/api/v1/chats/{chat_id}/turns", {
          params: { path: { chat_id: id }, header: idempotencyHeader(key) },
          body: { text },
        }),
      );
    },
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

/** Choose and rate; it is shown at once, and sent before what is said next. */
export function useChoose(place: ChatPlace) {
  const client = useQueryClient();
  const { queryKey } = chatQuery(place);
  return useMutation({
    onMutate: ({ number, verdict }) => {
      client.setQueryData(queryKey, (chat) => chat && withVerdict(chat, number, verdict));
    },
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

function withVerdict(chat: Schemas["ChatRead"], number: number, verdict: ChatVerdict) {
  const { choice, ratings } = verdict;
  const turns = chat.turns.map((turn) => {
    if (turn.number !== number) return turn;
    const candidates = turn.candidates.map((reply, place) => ({
      ...reply,
      rating: ratings[place] ?? null,
    }));
    return { ...turn, choice, candidates };
  });
  return { ...chat, turns };
}

/** Talk with a task's models without an account; the whole conversation goes along each time. */
export function useTryReplies(slug: string) {
  return useMutation({
    mutationFn: (body: Schemas["TryRepliesCreate"]) =>
      unwrap(api.POST("/api/v1/tasks/{slug}/tries/replies", { params: { path: { slug } }, body })),
  });
}
