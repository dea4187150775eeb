import { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap } from "@codemirror/lint";
import { EditorState, type Extension, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { toUnitOffset } from "../../lib/code-points";
import type { Problem } from "./queries";
import { type ConfigSchema, suggest } from "./schema-completion";

/** The product's own colours, so that both themes hold. */
const look = EditorView.theme({
  "&": {
    border: "1px solid var(--db-border)",
    borderRadius: "var(--mantine-radius-sm)",
    backgroundColor: "var(--db-page)",
    color: "var(--db-text)",
    fontSize: "0.875rem",
  },
  "&.cm-focused": { outline: "2px solid var(--db-focus)", outlineOffset: "-1px" },
  ".cm-scroller": {
    fontFamily: "var(--mantine-font-family-monospace)",
    lineHeight: "1.5",
    maxHeight: "70vh",
    minHeight: "16rem",
  },
  ".cm-content": { caretColor: "var(--db-text)" },
  ".cm-cursor": { borderLeftColor: "var(--db-text)" },
  ".cm-gutters": {
    backgroundColor: "var(--db-surface)",
    color: "var(--db-dimmed)",
    borderRight: "1px solid var(--db-rule)",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { boxShadow: "inset 2px 0 var(--db-focus)" },
  "& .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    { backgroundColor: "var(--db-mark)" },
  ".cm-tooltip": {
    backgroundColor: "var(--db-page)",
    color: "var(--db-text)",
    border: "1px solid var(--db-border)",
    maxWidth: "min(40rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--db-mark)",
    color: "var(--db-text)",
  },
  ".cm-diagnostic": { borderLeftColor: "var(--db-bad)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--db-bad)",
  },
  ".cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--db-good-surface) !important" },
  ".cm-deletedChunk": { backgroundColor: "var(--db-bad-surface) !important" },
  ".cm-changedText": {
    background: "none !important",
    textDecoration: "underline 2px var(--db-good)",
  },
  ".cm-deletedChunk .cm-deletedText": {
    background: "none !important",
    textDecoration: "line-through 1px var(--db-bad)",
  },
  ".cm-collapsedLines": {
    background: "var(--db-surface) !important",
    color: "var(--db-dimmed)",
  },
  // Their signs stand in few fonts.
  ".cm-collapsedLines::before, .cm-collapsedLines::after": { display: "none" },
});

const highlighting = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: "var(--db-link)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--db-good)" },
  { tag: [tags.lineComment, tags.meta], color: "var(--db-dimmed)", fontStyle: "italic" },
  { tag: [tags.keyword, tags.bool, tags.number], color: "var(--db-warning)" },
]);

/** How YAML looks here, to be written or only read. */
export function yamlLook(): Extension {
  return [yaml(), look, syntaxHighlighting(highlighting), lineNumbers(), EditorView.lineWrapping];
}

/** Everything that writing needs. Tab indents; Escape, then Tab leaves. */
export function yamlWriting(schema: () => ConfigSchema | undefined): Extension {
  const complete = (context: CompletionContext) => {
    const root = schema();
    const word = context.matchBefore(/[\w-]*/);
    if (root === undefined || word === null) return null;
    if (word.text === "" && !context.explicit) return null;
    const found = suggest(root, context.state.doc.toString(), context.pos);
    if (found.length === 0) return null;
    return {
      from: word.from,
      validFor: /^[\w-]*$/,
      options: found.map(({ label, text, kind, isRequired, description }) => ({
        label,
        apply: text,
        type: kind,
        boost: isRequired ? 1 : 0,
        ...(description === undefined ? {} : { info: description }),
      })),
    };
  };
  return [
    yamlLook(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of("  "),
    bracketMatching(),
    highlightActiveLine(),
    lintGutter(),
    autocompletion({ override: [complete], icons: false }),
    keymap.of([
      ...completionKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    EditorState.allowMultipleSelections.of(true),
  ];
}

/** A problem's place in the text: from its column to the end of its line. */
export function diagnosticsOf(problems: readonly Problem[], document: Text): Diagnostic[] {
  return problems
    .filter(({ line }) => line === null || line <= document.lines)
    .map(({ line: number, column, message, suggestion }) => {
      const line = document.line(number ?? 1);
      const start = column === null ? 0 : toUnitOffset(line.text, (column ?? 1) - 1);
      const from = Math.min(line.from + start, line.to);
      return {
        from,
        to: line.to,
        severity: "error" as const,
        message: [message, suggestion].filter(Boolean).join(" "),
      };
    })
    .sort((one, other) => one.from - other.from);
}
