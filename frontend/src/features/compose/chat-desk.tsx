import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";

import { type ChatPort, ChatPortProvider } from "../../components/ui/fields/chat-port";
import { Failed } from "../../components/ui/states";
import { useDraft } from "../../lib/draft-storage";
import { useIdempotencyKey } from "../../lib/idempotency";
import type { ChatField, DrawnConfig } from "../../lib/task-config";
import { type ChatPlace, chatQuery, useChoose, useRegenerate, useSay } from "./chat-queries";
import type { Desk } from "./desk";

interface ChatDeskProps {
  config: DrawnConfig;
  desk: Desk;
  context: string;
  /** How many tries were made here: each has a conversation of its own. */
  tries: number;
  children: ReactNode;
}

/** The field of a task that holds a conversation. */
export function chatField(config: DrawnConfig): ChatField | null {
  return config.inputs.find((field) => field.type === "chat") ?? null;
}

/** Gives what is inside it the conversation about a context, where the task has one. */
export function ChatDesk({ config, desk, context, tries, children }: ChatDeskProps) {
  const field = chatField(config);
  if (field === null) return children;
  const place = { round: desk.round, context, field: field.name, tries };
  return (
    <HeldChat desk={desk} place={place}>
      {children}
    </HeldChat>
  );
}

interface HeldChatProps {
  desk: Desk;
  place: ChatPlace;
  children: ReactNode;
}

function HeldChat({ desk, place, children }: HeldChatProps) {
  const chat = useQuery(chatQuery(place));
  const [draft, setDraft, forget] = useDraft<string>(
    { ...desk, context: `message ${place.context}` },
    "",
  );
  const say = useSay(place);
  const regenerate = useRegenerate(place);
  const choose = useChoose(place);
  const { keyFor, renew } = useIdempotencyKey();
  const { data } = chat;
  const id = data?.id ?? null;
  const reference = useMemo(() => (id === null ? null : { chat: id }), [id]);
  const turns = data?.turns ?? [];
  const number = turns.length;
  const port: ChatPort = {
    turns,
    reference,
    draft,
    setDraft,
    say: () => {
      regenerate.reset();
      say.mutate(
        { text: draft, key: keyFor({ ...place, text: draft, number }) },
        {
          onSuccess: () => {
            renew();
            forget();
          },
        },
      );
    },
    choose: (turn, verdict) => id !== null && choose.mutate({ chat: id, number: turn, verdict }),
    regenerate:
      id === null || number === 0
        ? null
        : () => regenerate.mutate({ chat: id, number, key: crypto.randomUUID() }),
    regenerationsLeft: turns.at(-1)?.regenerations_left ?? 0,
    pending: say.isPending ? say.variables.text : null,
    isBusy: say.isPending || regenerate.isPending,
    error: say.error ?? regenerate.error ?? choose.error,
  };
  if (chat.error !== null && data === undefined) {
    return (
      <>
        <Failed error={chat.error} onRetry={() => void chat.refetch()} />
        {children}
      </>
    );
  }
  return <ChatPortProvider value={port}>{children}</ChatPortProvider>;
}
