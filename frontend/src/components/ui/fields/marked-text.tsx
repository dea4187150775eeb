import { Fragment } from "react";

import type { Span } from "../../../lib/field-values";
import { levelsOf, segmentsOf } from "../../../lib/spans";
import classes from "./marked-text.module.css";

const COLOURS = 4;
const LINES = ["solid", "dashed", "dotted", "double"] as const;

interface MarkedTextProps {
  text: string;
  spans: readonly Span[];
  /** All labels there are, so that each keeps its line and colour. */
  labels?: readonly string[];
  /** The number of each span above its first word instead of its label behind its last. */
  isNumbered?: boolean;
}

/**
 * A text with its spans underlined. Overlapping spans have lines of their own below each other;
 * a label has its own kind of line and colour, and its name or number stands beside it in words.
 */
export function MarkedText({ text, spans, labels = [], isNumbered = false }: MarkedTextProps) {
  const levels = levelsOf(spans);
  const linesOf = (covering: readonly number[]) =>
    [...covering].sort((one, other) => (levels[one] ?? 0) - (levels[other] ?? 0));
  return segmentsOf(text, spans).map((segment, place) => {
    if (segment.covering.length === 0) return <Fragment key={place}>{segment.text}</Fragment>;
    const numbers = segment.opened.map((index) => index + 1).join(" ");
    const named = segment.closed.map((index) => spans[index]?.label).filter(isNamed);
    const words = (
      <mark className={classes.mark} {...(isNumbered && { "data-numbers": numbers })}>
        {segment.text}
      </mark>
    );
    const drawn = linesOf(segment.covering).reduce(
      (inner, index) => (
        <span className={classes.line} style={lineOf(labels, spans[index], levels[index] ?? 0)}>
          {inner}
        </span>
      ),
      words,
    );
    return (
      <Fragment key={place}>
        {drawn}
        {!isNumbered && named.map((label) => <LabelTag key={label} label={label} />)}
      </Fragment>
    );
  });
}

function isNamed(label: string | undefined): label is string {
  return label !== undefined && label !== "";
}

/** A span's label in words, behind what it marks. */
function LabelTag({ label }: { label: string }) {
  return (
    <>
      {" "}
      <bdi className={classes.tag}>{label}</bdi>
    </>
  );
}

/** The line of a span: which colour and kind its label has, and how far below the words it is. */
function lineOf(labels: readonly string[], span: Span | undefined, level: number) {
  const index = Math.max(0, labels.indexOf(span?.label ?? ""));
  const kind = LINES[(index + Math.floor(index / LINES.length)) % LINES.length] ?? "solid";
  return {
    borderBlockEndColor: `var(--db-series-${(index % COLOURS) + 1})`,
    borderBlockEndStyle: kind,
    paddingBlockEnd: `${level * 4}px`,
  };
}
