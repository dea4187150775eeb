import { useEffect, useEffectEvent, useRef } from "react";

import type { Span } from "../../../lib/field-values";
import { moveSpans } from "../../../lib/spans";

interface Moving {
  text: string;
  value: readonly Span[] | null;
  onChange: (spans: readonly Span[] | null) => void;
  /** Told how many spans lost their words. */
  onDropped: (count: number) => void;
}

/** Keep spans on their words while the text they lie in is being written. */
export function useMovedSpans({ text, value, onChange, onDropped }: Moving): void {
  const last = useRef(text);
  const follow = useEffectEvent(() => {
    const before = last.current;
    last.current = text;
    if (value === null || value.length === 0) return;
    const kept = moveSpans(value, before, text);
    if (kept.length === value.length && kept.every((span, index) => span === value[index])) return;
    // Nothing left is not the same as nothing to mark.
    onChange(kept.length === 0 ? null : kept);
    if (kept.length < value.length) onDropped(value.length - kept.length);
  });
  useEffect(() => follow(), [text]);
}
