import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";

export type Item = Schemas["ItemToValidate"];
export type Ballot = Schemas["ValidationCreate"];
type Held = Schemas["NextToValidateRead"];

/** Items fetched ahead, so that the next one is there at once. */
const ITEMS_AHEAD = 3;
/** The server counts waiting examples up to here. */
export const MOST_WAITING = 20;

export const validateKeys = {
  all: ["validate"] as const,
  next: (roundId: string) => [...validateKeys.all, "next", roundId] as const,
};

/** The next examples, lent to this validator, and how far they have come. */
export const nextToValidateQuery = (roundId: string) =>
  queryOptions({
    queryKey: validateKeys.next(roundId),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/next-to-validate", {
          params: { path: { round_id: roundId }, query: { count: ITEMS_AHEAD } },
        }),
      ),
    staleTime: 0,
  });

/** Change what is held of the queue before the server has answered. */
function useChangeHeld(roundId: string): (change: (held: Held) => Held) => void {
  const client = useQueryClient();
  return (change) =>
    client.setQueryData(nextToValidateQuery(roundId).queryKey, (held) => held && change(held));
}

interface Cast {
  item: Item;
  ballot: Ballot;
  key: string;
}

/** Save a vote; the item leaves the queue at once. */
export function useCastVote(roundId: string) {
  const change = useChangeHeld(roundId);
  return useMutation({
    mutationFn: ({ item, ballot, key }: Cast) =>
      unwrap(
        api.POST("/api/v1/examples/{example_id}/validations", {
          params: { path: { example_id: item.example_id }, header: idempotencyHeader(key) },
          body: ballot,
        }),
      ),
    onMutate: () =>
      change((held) => ({
        ...held,
        my_votes: held.my_votes + 1,
        waiting: fewer(held.waiting),
      })),
    onError: () => change((held) => ({ ...held, my_votes: Math.max(0, held.my_votes - 1) })),
  });
}

export function useWithdrawVote(roundId: string) {
  const change = useChangeHeld(roundId);
  return useMutation({
    mutationFn: (validationId: string) =>
      unwrap(
        api.DELETE("/api/v1/validations/{validation_id}", {
          params: { path: { validation_id: validationId } },
        }),
      ),
    onSuccess: () =>
      change((held) => ({
        ...held,
        my_votes: Math.max(0, held.my_votes - 1),
        waiting: held.waiting + 1,
      })),
  });
}

/** Give an item back; it is not offered again. */
export function useSkipItem(roundId: string) {
  const change = useChangeHeld(roundId);
  return useMutation({
    mutationFn: (item: Item) =>
      unwrap(
        api.DELETE("/api/v1/examples/{example_id}/validation-lease", {
          params: { path: { example_id: item.example_id } },
        }),
      ),
    onMutate: () => change((held) => ({ ...held, waiting: fewer(held.waiting) })),
  });
}

/** One less waiting; "100 or more" stays that until the server counts anew. */
function fewer(waiting: number): number {
  return waiting >= MOST_WAITING ? waiting : Math.max(0, waiting - 1);
}
