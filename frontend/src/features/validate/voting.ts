import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";

import { ApiProblem } from "../../lib/api-client";
import {
  type Ballot,
  type Item,
  nextToValidateQuery,
  useCastVote,
  useSkipItem,
  useWithdrawVote,
} from "./queries";
import {
  forgetUnsaved,
  keepUnsaved,
  readUnsaved,
  type SentVote,
  type VotingPlace,
} from "./vote-storage";

/** An empty queue is looked at again this often. */
const LOOK_AGAIN_MS = 30_000;

/** A vote that was not saved, kept until it is or until it is given up. */
export interface UnsavedVote extends SentVote {
  error: unknown;
}

/** Whether the vote lacks something that its validator can still give. */
export function canBeMended({ error }: UnsavedVote): boolean {
  return error instanceof ApiProblem && error.status === 422;
}

/** Whether sending the same vote again can help: it was lost, not refused. */
export function canBeSentAgain({ error }: UnsavedVote): boolean {
  return !(error instanceof ApiProblem) || error.status === 0 || error.status >= 429;
}

/**
 * A validator's queue. A vote moves on at once and is saved behind; `cast` returns the way to
 * undo it. What the server hands out again before it has stored a vote is passed over here, and
 * the item on the screen stays although a refetch may order the others anew. What was cast before
 * a reload and not saved is sent again, as the same vote.
 */
export function useVoting(place: VotingPlace) {
  const { roundId } = place;
  const [left] = useState(() => readUnsaved(place));
  const [gone, setGone] = useState<ReadonlySet<string>>(
    () => new Set(left.map(({ item }) => item.example_id)),
  );
  const [shown, setShown] = useState<Item | null>(null);
  const [unsaved, setUnsaved] = useState<readonly UnsavedVote[]>([]);
  const [session, setSession] = useState({ votes: 0, seconds: 0 });
  const query = useQuery({
    ...nextToValidateQuery(roundId),
    refetchInterval: shown === null ? LOOK_AGAIN_MS : false,
  });
  const { mutateAsync: save, isPending: isSaving } = useCastVote(roundId);
  const { mutateAsync: withdraw } = useWithdrawVote(roundId);
  const { mutateAsync: giveBack } = useSkipItem(roundId);

  const upcoming = (query.data?.items ?? []).filter(
    ({ example_id }) => !gone.has(example_id) && example_id !== shown?.example_id,
  );
  if (shown === null && upcoming[0] !== undefined) setShown(upcoming[0]);

  const refill = () => void query.refetch();
  const moveOn = (item: Item) => {
    setGone((before) => new Set(before).add(item.example_id));
    setShown(upcoming[0] ?? null);
  };
  const bringBack = (item: Item) => {
    setGone((before) => new Set([...before].filter((id) => id !== item.example_id)));
    setShown(item);
  };
  const send = async (vote: SentVote) => {
    keepUnsaved(place, vote);
    try {
      const saved = await save(vote);
      forgetUnsaved(place, vote.key);
      return saved;
    } catch (error) {
      setUnsaved((before) => [...before.filter(({ key }) => key !== vote.key), { ...vote, error }]);
      return null;
    } finally {
      refill();
    }
  };
  const drop = (vote: SentVote) => {
    forgetUnsaved(place, vote.key);
    setUnsaved((before) => before.filter(({ key }) => key !== vote.key));
  };
  const sendLeft = useEffectEvent(() => {
    for (const vote of left) void send(vote);
  });
  useEffect(() => sendLeft(), []);

  const cast = (item: Item, ballot: Ballot) => {
    const seconds = ballot.time_spent_seconds ?? 0;
    const vote = { item, ballot, key: crypto.randomUUID() };
    const stored = send(vote);
    setSession((before) => ({ votes: before.votes + 1, seconds: before.seconds + seconds }));
    moveOn(item);
    return async () => {
      const validation = await stored;
      if (validation !== null) await withdraw(validation.id);
      drop(vote);
      setSession((before) => ({
        votes: before.votes - 1,
        seconds: Math.max(0, before.seconds - seconds),
      }));
      // A blind answer that was withdrawn is not given again: the example goes to others.
      if (validation === null || item.mode !== "blind") bringBack(item);
      else refill();
    };
  };
  const skip = (item: Item) => {
    moveOn(item);
    // Nothing depends on it: a lease that is not given back ends by itself.
    giveBack(item)
      .catch(() => undefined)
      .finally(refill);
  };
  const sendAgain = (vote: UnsavedVote) => {
    drop(vote);
    void send({ item: vote.item, ballot: vote.ballot, key: vote.key });
  };
  const judgeAgain = (vote: UnsavedVote) => {
    drop(vote);
    bringBack(vote.item);
  };
  return {
    query,
    item: shown,
    cast,
    skip,
    unsaved,
    sendAgain,
    judgeAgain,
    drop,
    session,
    isSaving,
  };
}
