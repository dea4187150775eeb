import { toCodePointOffset, toUnitOffset } from "./code-points";
import type { Span, TextSelection } from "./field-values";

/** Whether the words stand in the text where the selection says. */
export function isInText(text: string, { text: words, start, end }: TextSelection): boolean {
  return text.slice(toUnitOffset(text, start), toUnitOffset(text, end)) === words;
}

function order(one: Span, other: Span): number {
  const [label = "", otherLabel = ""] = [one.label, other.label];
  return (
    one.start - other.start ||
    one.end - other.end ||
    (label < otherLabel ? -1 : Number(label > otherLabel))
  );
}

/** The spans with one more, in the order in which they are stored; the same one stays one. */
export function withSpan(spans: readonly Span[], added: Span): Span[] {
  return [...spans.filter((span) => order(span, added) !== 0), added].sort(order);
}

/** How many units two texts share at the start, and at the end beyond that. */
function sharedEnds(before: string, after: string): { start: number; end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charAt(start) === after.charAt(start)) start += 1;
  let end = 0;
  while (
    end < most - start &&
    before.charAt(before.length - 1 - end) === after.charAt(after.length - 1 - end)
  ) {
    end += 1;
  }
  return { start, end };
}

/**
 * Where spans lie once their text was edited: those beside the edit move with their words, and
 * those whose words were touched are gone.
 */
export function moveSpans(spans: readonly Span[], before: string, after: string): Span[] {
  const shared = sharedEnds(before, after);
  const from = toCodePointOffset(before, shared.start);
  const to = toCodePointOffset(before, before.length - shared.end);
  const shift = toCodePointOffset(after, after.length - shared.end) - to;
  return spans
    .filter((span) => span.end <= from || span.start >= to)
    .map((span) =>
      span.end <= from ? span : { ...span, start: span.start + shift, end: span.end + shift },
    )
    .filter((span) => isInText(after, span));
}

/** A run of text under the same spans, by their place in the list. */
export interface Segment {
  text: string;
  covering: readonly number[];
  /** The spans that begin and those that end with it. */
  opened: readonly number[];
  closed: readonly number[];
}

/** Cut a text wherever a span begins or ends. */
export function segmentsOf(text: string, spans: readonly TextSelection[]): Segment[] {
  const places = spans.map((span) => ({
    start: toUnitOffset(text, span.start),
    end: toUnitOffset(text, span.end),
  }));
  const cuts = new Set([0, text.length, ...places.flatMap(({ start, end }) => [start, end])]);
  const sorted = [...cuts].sort((one, other) => one - other);
  const indices = (holds: (place: { start: number; end: number }) => boolean) =>
    places.flatMap((place, index) => (holds(place) ? [index] : []));
  return sorted.slice(1).map((end, index) => {
    const start = sorted[index] ?? 0;
    return {
      text: text.slice(start, end),
      covering: indices((place) => place.start <= start && place.end >= end),
      opened: indices((place) => place.start === start),
      closed: indices((place) => place.end === end && place.start < end),
    };
  });
}

/** The line on which each span is drawn, so that overlapping spans have lines of their own. */
export function levelsOf(spans: readonly TextSelection[]): number[] {
  const ends: number[] = [];
  return spans.map(({ start, end }) => {
    const free = ends.findIndex((last) => last <= start);
    const level = free < 0 ? ends.length : free;
    ends[level] = end;
    return level;
  });
}
