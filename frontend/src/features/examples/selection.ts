import { useRef, useState } from "react";

import type { Outcome } from "./queries";

/** Which of the examples on the page are chosen, and which one the keys are at. */
export function useSelection(shown: readonly Outcome[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string | null>(null);
  const rows = useRef(new Map<string, HTMLLIElement>());
  const ids = shown.map(({ example }) => example.id);
  // What a filter or a decision has taken from the page is chosen no more.
  const selected = ids.filter((id) => chosen.has(id));
  const at = current === null ? -1 : ids.indexOf(current);

  const toggle = (id: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const move = (step: number) => {
    const next = ids[Math.min(ids.length - 1, Math.max(0, at + step))];
    if (next === undefined) return;
    setCurrent(next);
    rows.current.get(next)?.focus();
  };
  return {
    selected,
    /** What a decision is about: the chosen, else the one that the keys are at. */
    concerned: selected.length > 0 ? selected : ids.slice(at, at + 1).filter(() => at >= 0),
    isSelected: (id: string) => chosen.has(id),
    toggle,
    toggleCurrent: () => {
      const id = ids[at];
      if (id !== undefined) toggle(id);
    },
    toggleAll: () => setChosen(new Set(selected.length === ids.length ? [] : ids)),
    clear: () => setChosen(new Set()),
    setCurrent,
    next: () => move(1),
    previous: () => move(-1),
    keepRow: (id: string) => (row: HTMLLIElement | null) => {
      if (row === null) rows.current.delete(id);
      else rows.current.set(id, row);
    },
  };
}

export type Selection = ReturnType<typeof useSelection>;
