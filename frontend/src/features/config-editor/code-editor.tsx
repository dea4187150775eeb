import { setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";

import { toUnitOffset } from "../../lib/code-points";
import { diagnosticsOf, yamlWriting } from "./code-setup";
import type { Problem } from "./queries";
import type { ConfigSchema } from "./schema-completion";

/** Puts the cursor on a line, or at a column of it. */
export type JumpTo = (line: number, column: number | null) => void;

export interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  problems: readonly Problem[];
  schema: ConfigSchema | undefined;
  label: string;
  /** The id of what says how to leave it by keyboard. */
  describedBy: string;
  onReady: (jump: JumpTo) => void;
}

/** The editor itself, a chunk of its own. */
export function CodeEditor(props: CodeEditorProps) {
  const { value, problems, schema, label, describedBy } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const known = useRef<ConfigSchema | undefined>(schema);
  // What was told and has not come back as the value: while somebody types on, what comes back
  // is older than the text, which it must not replace.
  const told = useRef<string[]>([]);
  const tellChange = useEffectEvent((text: string) => {
    told.current.push(text);
    props.onChange(text);
  });
  const tellReady = useEffectEvent((jump: JumpTo) => props.onReady(jump));
  const first = useEffectEvent(() => value);
  useEffect(() => {
    known.current = schema;
  }, [schema]);
  useEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first(),
        extensions: [
          yamlWriting(() => known.current),
          EditorView.contentAttributes.of({
            "aria-label": label,
            "aria-describedby": describedBy,
            spellcheck: "false",
            // Says that what scrolls can be reached by keyboard.
            tabindex: "0",
          }),
          // What is typed here is text: a character made with Alt is no key of the preview's.
          EditorView.domEventHandlers({ keydown: (event) => event.stopPropagation() }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) tellChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    tellReady((number, column) => {
      const line = editor.state.doc.line(Math.min(Math.max(number, 1), editor.state.doc.lines));
      const anchor = line.from + toUnitOffset(line.text, (column ?? 1) - 1);
      editor.dispatch({ selection: { anchor }, scrollIntoView: true });
      editor.focus();
    });
    return () => editor.destroy();
  }, [label, describedBy]);
  useEffect(() => {
    const editor = view.current;
    const comesBack = told.current.indexOf(value);
    told.current = comesBack === -1 ? [] : told.current.slice(comesBack + 1);
    if (comesBack !== -1 || editor === null || editor.state.doc.toString() === value) return;
    // As a change like any other, so that it can be taken back.
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
    told.current = [];
  }, [value]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(problems, editor.state.doc)));
  }, [problems]);
  return <div ref={place} />;
}
