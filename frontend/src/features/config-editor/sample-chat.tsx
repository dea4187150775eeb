import { type ReactNode, useState } from "react";

import { type ChatPort, ChatPortProvider, withVerdict } from "../../components/ui/fields/chat-port";
import type { ChatTurn } from "../../lib/field-values";
import type { ChatField } from "../../lib/task-config";
import { sampleTurn, sampleTurns, type SampleWords } from "./samples";

/** As often as the server would. */
const MOST_REGENERATIONS = 5;

interface SampleChatProps {
  /** Null where the config has no conversation. */
  field: ChatField | null;
  words: SampleWords;
  children: ReactNode;
}

/** Gives what is inside it a conversation with made-up replies, in which nothing is sent. */
export function SampleChat({ field, words, children }: SampleChatProps) {
  if (field === null) return children;
  return (
    <PlayedSample field={field} words={words}>
      {children}
    </PlayedSample>
  );
}

function PlayedSample({ field, words, children }: SampleChatProps & { field: ChatField }) {
  const [turns, setTurns] = useState<readonly ChatTurn[]>(() =>
    // The last turn waits for its verdict.
    sampleTurns(field, words).map((turn, index, all) =>
      index === all.length - 1 ? sampleTurn(field, words, turn.text) : turn,
    ),
  );
  const [draft, setDraft] = useState("");
  const [regenerationsLeft, setLeft] = useState(MOST_REGENERATIONS);
  const last = turns.at(-1);
  const port: ChatPort = {
    turns,
    reference: null,
    draft,
    setDraft,
    say: () => {
      setTurns([...turns, sampleTurn(field, words, draft)]);
      setDraft("");
      setLeft(MOST_REGENERATIONS);
    },
    choose: (number, verdict) =>
      setTurns(
        turns.map((turn, index) => (index + 1 === number ? withVerdict(turn, verdict) : turn)),
      ),
    regenerate:
      last === undefined
        ? null
        : () => {
            setTurns(turns.with(-1, sampleTurn(field, words, last.text)));
            setLeft(regenerationsLeft - 1);
          },
    regenerationsLeft,
    pending: null,
    isBusy: false,
    error: null,
  };
  return <ChatPortProvider value={port}>{children}</ChatPortProvider>;
}
