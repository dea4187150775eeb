import { type ReactNode, useState } from "react";

import { type ChatPort, ChatPortProvider, withVerdict } from "../../components/ui/fields/chat-port";
import type { Schemas } from "../../lib/api-client";
import type { ChatTurn } from "../../lib/field-values";
import type { DrawnConfig, FieldValues } from "../../lib/task-config";
import { chatField } from "./chat-desk";
import { useTryReplies } from "./chat-queries";
import { filled } from "./submission";

interface ChatSandboxProps {
  slug: string;
  config: DrawnConfig;
  context: FieldValues;
  children: ReactNode;
}

/** Gives what is inside it a conversation that only this page keeps, where the task has one. */
export function ChatSandbox(props: ChatSandboxProps) {
  if (chatField(props.config) === null) return props.children;
  // About another context another conversation begins.
  return <PlayedChat key={JSON.stringify(props.context)} {...props} />;
}

function PlayedChat({ slug, context, children }: ChatSandboxProps) {
  const [turns, setTurns] = useState<readonly ChatTurn[]>([]);
  const [draft, setDraft] = useState("");
  const reply = useTryReplies(slug);
  const say = () => {
    const text = draft;
    const messages = [...messagesOf(turns), { role: "user" as const, text }];
    reply.mutate(
      { context: filled(context), messages },
      {
        onSuccess: ({ candidates }) => {
          setTurns([...turns, { text, candidates, choice: null }]);
          setDraft("");
        },
      },
    );
  };
  const port: ChatPort = {
    turns,
    reference: null,
    draft,
    setDraft,
    say,
    choose: (number, verdict) =>
      setTurns(
        turns.map((turn, place) => (place + 1 === number ? withVerdict(turn, verdict) : turn)),
      ),
    regenerate: null,
    regenerationsLeft: 0,
    pending: reply.isPending ? (reply.variables.messages.at(-1)?.text ?? null) : null,
    isBusy: reply.isPending,
    error: reply.error,
  };
  return <ChatPortProvider value={port}>{children}</ChatPortProvider>;
}

/** What was said so far, with the reply with which the conversation went on. */
function messagesOf(turns: readonly ChatTurn[]): Schemas["TryMessage"][] {
  return turns.flatMap(({ text, candidates, choice }) => {
    const place = choice === null ? 0 : Number.parseInt(choice, 10);
    const kept = candidates[Number.isNaN(place) ? 0 : place];
    return [
      { role: "user" as const, text },
      { role: "assistant" as const, text: kept?.text ?? "" },
    ];
  });
}
