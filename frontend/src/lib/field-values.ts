/** What people and models fill in, as it goes over the wire and is stored. */

/** A selection in a text of the context; offsets are code points. */
export interface TextSelection {
  text: string;
  start: number;
  end: number;
}

/** One marked part of a text; offsets are code points. */
export interface Span extends TextSelection {
  label?: string;
}

/** A stored picture or recording. */
export interface MediaValue {
  media: string;
  alt?: string;
}

/** A picture or recording that the server has yet to fetch. */
export interface MediaAddress {
  url: string;
  alt?: string;
}

/** A conversation that is still going on. */
export interface ChatReference {
  chat: string;
}

export interface ChatReply {
  model: string;
  text: string;
  rating: number | null;
}

/** One turn of a finished conversation. */
export interface ChatTurn {
  text: string;
  candidates: readonly ChatReply[];
  choice: string | null;
  model_ids?: readonly string[];
}

export type FieldValue =
  | string
  | number
  | readonly string[]
  | TextSelection
  | readonly Span[]
  | MediaValue
  | MediaAddress
  | ChatReference
  | readonly ChatTurn[];

/** What stands for a rating where the question does not fit. */
export const NOT_APPLICABLE = "not_applicable";

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSelection(value: unknown): value is TextSelection {
  return isRecord(value) && typeof value.start === "number" && typeof value.text === "string";
}

export function isSpanList(value: unknown): value is readonly Span[] {
  return Array.isArray(value) && value.every(isSelection);
}

export function isLabelList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

export function isMedia(value: unknown): value is MediaValue {
  return isRecord(value) && typeof value.media === "string";
}

export function isChatTurns(value: unknown): value is readonly ChatTurn[] {
  return (
    Array.isArray(value) && value.every((turn) => isRecord(turn) && Array.isArray(turn.candidates))
  );
}

/** Whether something was filled in; an empty list says "none" and is an answer. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
