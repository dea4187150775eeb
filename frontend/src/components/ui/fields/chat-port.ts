import { createContext, use } from "react";

import type { ChatReference, ChatTurn } from "../../../lib/field-values";

/** Which reply of a turn is the best, by its place; or that none is. */
export type ChatChoice = "0" | "1" | "2" | "3" | "tie" | "all_bad";

/** What is said of a turn's replies. */
export interface ChatVerdict {
  choice: ChatChoice | null;
  ratings: readonly (number | null)[];
}

/** A conversation as it stands, and what can be done with it; how it is held is not told. */
export interface ChatPort {
  turns: readonly ChatTurn[];
  /** What names the conversation in an attempt; null until it is begun, or where nothing does. */
  reference: ChatReference | null;
  /** What is being typed; it survives whatever happens to the conversation. */
  draft: string;
  setDraft: (draft: string) => void;
  /** Send what is typed. */
  say: () => void;
  /** Say of the turn with this number, from 1, which reply is best. */
  choose: (number: number, verdict: ChatVerdict) => void;
  /** Ask for other replies to the last message; null where that cannot be. */
  regenerate: (() => void) | null;
  regenerationsLeft: number;
  /** The message that waits for its replies. */
  pending: string | null;
  isBusy: boolean;
  error: unknown;
}

/** A turn with what is said of its replies. */
export function withVerdict(turn: ChatTurn, { choice, ratings }: ChatVerdict): ChatTurn {
  const candidates = turn.candidates.map((reply, place) => ({
    ...reply,
    rating: ratings[place] ?? null,
  }));
  return { ...turn, choice, candidates };
}

const ChatPortContext = createContext<ChatPort | null>(null);

export const ChatPortProvider = ChatPortContext.Provider;

/** The conversation that this part of the page holds. */
export function useChatPort(): ChatPort | null {
  return use(ChatPortContext);
}
