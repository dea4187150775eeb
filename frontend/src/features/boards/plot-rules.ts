/** From values to places on a drawing; it remembers its ends. */
export type Scale = ((value: number) => number) & { from: number; to: number };

export function scale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): Scale {
  const place = (value: number) => start + ((value - from) / (to - from)) * (end - start);
  return Object.assign(place, { from, to });
}

const WANTED_TICKS = 5;

/** Round numbers between two ends: about five steps of 1, 2 or 5 times a power of ten. */
export function ticks(from: number, to: number): number[] {
  const rough = (to - from) / WANTED_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

export interface Label<Item> {
  item: Item;
  x: number;
  y: number;
  anchor: "start" | "end";
}

const LABEL_WIDTH = 130;
const LABEL_HEIGHT = 16;
const GAP = 9;
const RIGHT_END = 590;

/** Names beside their points; one that would cover another is left to the table. */
export function labelled<Item>(
  items: readonly Item[],
  place: (item: Item) => readonly [number, number],
): Label<Item>[] {
  const kept: Label<Item>[] = [];
  for (const item of items) {
    const [x, y] = place(item);
    const anchor = x > RIGHT_END ? "end" : "start";
    const label: Label<Item> = { item, x: anchor === "end" ? x - GAP : x + GAP, y: y - 6, anchor };
    const isCovered = kept.some(
      (other) =>
        Math.abs(other.x - label.x) < LABEL_WIDTH && Math.abs(other.y - label.y) < LABEL_HEIGHT,
    );
    if (!isCovered) kept.push(label);
  }
  return kept;
}
