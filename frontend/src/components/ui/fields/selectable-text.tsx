import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";

import { toCodePointOffset } from "../../../lib/code-points";
import type { TextSelection } from "../../../lib/field-values";
import classes from "./selectable-text.module.css";

/**
 * Read a selection made in a text box back into the text itself. The box turns every line
 * ending into one unit, so its offsets are walked back to those of the original; white space at
 * either end is left out. Null where nothing but white space is selected.
 */
export function selectionIn(text: string, start: number, end: number): TextSelection | null {
  let from = boxToText(text, start);
  let to = boxToText(text, end);
  while (from < to && /\s/.test(text.charAt(from))) from += 1;
  while (to > from && /\s/.test(text.charAt(to - 1))) to -= 1;
  if (from === to) return null;
  return {
    text: text.slice(from, to),
    start: toCodePointOffset(text, from),
    end: toCodePointOffset(text, to),
  };
}

function boxToText(text: string, boxOffset: number): number {
  let unit = 0;
  for (let box = 0; box < boxOffset && unit < text.length; box += 1) {
    unit += text.startsWith("\r\n", unit) ? 2 : 1;
  }
  return unit;
}

interface SelectableTextProps {
  id: string;
  text: string;
  /** The same text as it is seen, with its marks; it must break its lines as the text does. */
  drawn: ReactNode;
  onSelect: (selection: TextSelection) => void;
  isInvalid: boolean;
  describedBy: string;
  attributes: { lang?: string; dir: string };
  /** Whether lines need room for marks below the words. */
  isRoomy?: boolean;
}

/**
 * A text in which words are selected by mouse, touch or keyboard.
 *
 * It is a text box that takes no typing: every device and screen reader knows how to select in
 * one. Behind it the same text is drawn with its marks, so that they stay visible when the focus
 * goes elsewhere.
 */
export function SelectableText(props: SelectableTextProps) {
  const { id, text, drawn, onSelect, isInvalid, describedBy, attributes, isRoomy = false } = props;
  const box = useRef<HTMLTextAreaElement>(null);
  const read = useEffectEvent(() => {
    if (box.current === null) return;
    const selected = selectionIn(text, box.current.selectionStart, box.current.selectionEnd);
    // A bare click moves the caret only: what was chosen stays until something else is.
    if (selected !== null) onSelect(selected);
  });
  useEffect(() => {
    const element = box.current;
    // React's own event waits for a key or a mouse; the handles of a telephone are neither.
    const listen = () => read();
    const kinds = ["select", "keyup", "mouseup"] as const;
    for (const kind of kinds) element?.addEventListener(kind, listen);
    return () => {
      for (const kind of kinds) element?.removeEventListener(kind, listen);
    };
  }, []);
  return (
    <div className={classes.stack} data-roomy={isRoomy}>
      <div className={classes.drawn} aria-hidden {...attributes}>
        {drawn}
        {"\u200b"}
      </div>
      <textarea
        ref={box}
        id={id}
        className={classes.box}
        rows={1}
        value={text}
        onChange={() => undefined}
        onBeforeInput={(event) => event.preventDefault()}
        onDrop={(event) => event.preventDefault()}
        inputMode="none"
        aria-readonly="true"
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        spellCheck={false}
        {...attributes}
      />
    </div>
  );
}
