import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";

import { yamlLook } from "./code-setup";

export interface ConfigDiffProps {
  before: string;
  after: string;
  label: string;
}

/** What changed from one text to another, line by line; to be read only. */
export function ConfigDiff({ before, after, label }: ConfigDiffProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: after,
        extensions: [
          yamlLook(),
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({
            "aria-label": label,
            "aria-readonly": "true",
            // Says that what scrolls can be reached by keyboard.
            tabindex: "0",
          }),
          unifiedMergeView({
            original: before,
            mergeControls: false,
            gutter: true,
            collapseUnchanged: { margin: 2, minSize: 4 },
          }),
        ],
      }),
    });
    return () => view.destroy();
  }, [before, after, label]);
  return <div ref={place} />;
}
