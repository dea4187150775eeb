import { EditorView } from "@codemirror/view";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { CodeEditor } from "./code-editor";

/** The editor with a value; what it tells is kept, and comes back when the test says so. */
function renderEditor(first: string) {
  const told: string[] = [];
  const editorWith = (value: string) => (
    <CodeEditor
      value={value}
      onChange={(text) => told.push(text)}
      problems={[]}
      schema={undefined}
      label="Config"
      describedBy="help"
      onReady={() => undefined}
    />
  );
  const { rerender } = render(editorWith(first));
  const view =
    EditorView.findFromDOM(screen.getByRole("textbox", { name: "Config" })) ??
    expect.fail("there is no editor");
  return {
    told,
    type: (text: string) =>
      view.dispatch({ changes: { from: view.state.doc.length, insert: text } }),
    give: (value: string) => rerender(editorWith(value)),
    text: () => view.state.doc.toString(),
  };
}

test("what comes back while somebody types on takes no letter away", () => {
  const editor = renderEditor("type: ");
  editor.type("m");
  editor.type("a");
  expect(editor.told).toEqual(["type: m", "type: ma"]);
  editor.give("type: m");
  expect(editor.text()).toBe("type: ma");
  editor.type("c");
  editor.give("type: mac");
  expect(editor.text()).toBe("type: mac");
});

test("a text from elsewhere replaces what stands there, also one that was typed before", () => {
  const editor = renderEditor("one");
  editor.give("two");
  expect(editor.text()).toBe("two");
  editor.type("!");
  editor.give("two!");
  editor.give("two");
  expect(editor.text()).toBe("two");
  editor.give("two!");
  expect(editor.text()).toBe("two!");
});
