import { useRef } from "react";

import { ApiProblem, type Schemas } from "../../lib/api-client";
import { useIdempotencyKey } from "../../lib/idempotency";
import { useTimeSpent } from "../../lib/time-spent";
import type { Desk, Draft } from "./desk";
import { useSubmitExample } from "./queries";

type Body = Schemas["ExampleCreate"];

/** What was filled in; a field that was emptied again is left out, and the server says so. */
export function filled(values: Draft["inputs"]): Body["inputs"] {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  );
}

export function filledDraft(draft: Draft): Pick<Body, "inputs" | "answer"> {
  return { inputs: filled(draft.inputs), answer: filled(draft.answer) };
}

/**
 * Send attempts at one context. The same text is sent again as the very same request, the time
 * spent included, so that an attempt whose answer was lost on the way is stored once.
 */
export function useSubmission(desk: Desk, contextId: string) {
  const submit = useSubmitExample(desk);
  const { keyFor, renew } = useIdempotencyKey();
  const { read, restart } = useTimeSpent();
  const sent = useRef<{ written: string; body: Body } | null>(null);
  const send = async (draft: Draft): Promise<Schemas["ExampleRead"] | null> => {
    const content = filledDraft(draft);
    const written = JSON.stringify(content);
    if (sent.current?.written !== written) {
      const body = {
        ...content,
        context_id: contextId,
        origin: "human" as const,
        time_spent_seconds: read(),
      };
      sent.current = { written, body };
    }
    const { body } = sent.current;
    try {
      const example = await submit.mutateAsync({ body, key: keyFor(body) });
      sent.current = null;
      renew();
      restart();
      return example;
    } catch {
      // The mutation holds the failure, and the page shows it.
      return null;
    }
  };
  return { send, isSending: submit.isPending, error: submit.error };
}

/** The server's sentences by the field they are about, whichever part of the request it is in. */
export function fieldComplaints(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiProblem)) return {};
  const entries = Object.entries(error.fields);
  return Object.fromEntries(
    entries.map(([path, sentence]) => [path.slice(path.indexOf(".") + 1), sentence]),
  );
}

/** Whether a failure says more than what stands beside the fields already. */
export function needsAlert(error: unknown, fieldNames: readonly string[]): boolean {
  if (error === null || error === undefined) return false;
  const complaints = Object.keys(fieldComplaints(error));
  return complaints.length === 0 || complaints.some((name) => !fieldNames.includes(name));
}
