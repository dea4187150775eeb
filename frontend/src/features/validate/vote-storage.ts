import { browserStorage } from "../../lib/browser-storage";
import type { Ballot, Item } from "./queries";

/** A vote on its way; its key makes sending it twice the same as sending it once. */
export interface SentVote {
  item: Item;
  ballot: Ballot;
  key: string;
}

/** Whose votes in which round. */
export interface VotingPlace {
  user: string;
  roundId: string;
}

const PREFIX = "dynabench-votes";

function storageKey({ user, roundId }: VotingPlace): string {
  return [PREFIX, user, roundId].map(encodeURIComponent).join(":");
}

/** The votes that were cast here and are not known to be saved; a reload leaves them. */
export function readUnsaved(place: VotingPlace): SentVote[] {
  try {
    const kept: unknown = JSON.parse(browserStorage.read(storageKey(place)) ?? "[]");
    return Array.isArray(kept) ? (kept as SentVote[]) : [];
  } catch {
    return [];
  }
}

function write(place: VotingPlace, votes: readonly SentVote[]): void {
  if (votes.length === 0) browserStorage.remove(storageKey(place));
  else browserStorage.write(storageKey(place), JSON.stringify(votes));
}

export function keepUnsaved(place: VotingPlace, { item, ballot, key }: SentVote): void {
  const others = readUnsaved(place).filter((one) => one.key !== key);
  write(place, [...others, { item, ballot, key }]);
}

export function forgetUnsaved(place: VotingPlace, key: string): void {
  write(
    place,
    readUnsaved(place).filter((one) => one.key !== key),
  );
}
