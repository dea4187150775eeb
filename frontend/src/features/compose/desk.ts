import { browserStorage } from "../../lib/browser-storage";
import type { FieldValue } from "../../lib/field-values";
import type { FieldValues } from "../../lib/task-config";

/** Who writes in which round of which task. */
export interface Desk {
  user: string;
  task: string;
  round: string;
}

/** What is being written about one context. */
export interface Draft {
  inputs: FieldValues;
  answer: FieldValues;
}

export const EMPTY_DRAFT: Draft = { inputs: {}, answer: {} };

export function withValue(
  draft: Draft,
  part: keyof Draft,
  name: string,
  value: FieldValue | null,
): Draft {
  return { ...draft, [part]: { ...draft[part], [name]: value } };
}

function contextKey({ user, task, round }: Desk): string {
  return ["dynabench-context", ...[user, task, round].map(encodeURIComponent)].join(":");
}

/** The context that lay on the desk when the page was last open. */
export function recallContext(desk: Desk): string | null {
  return browserStorage.read(contextKey(desk));
}

export function rememberContext(desk: Desk, contextId: string): void {
  browserStorage.write(contextKey(desk), contextId);
}
