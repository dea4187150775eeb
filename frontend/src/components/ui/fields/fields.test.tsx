import { fireEvent, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";

import type { FieldValue } from "../../../lib/field-values";
import type { DrawnField, MetadataField } from "../../../lib/task-config";
import { expectAccessible } from "../../../mocks/axe";
import { renderUi, schemes } from "../../../mocks/render";
import { FieldRenderer } from "./field-renderer";
import { GoalSentence } from "./goal-sentence";
import { askedFields, MetadataFields } from "./metadata-fields";
import { selectionIn } from "./selectable-text";

const hypothesis: DrawnField = { name: "hypothesis", type: "string", max_length: 10 };
const label: DrawnField = { name: "label", type: "multiclass", labels: ["yes", "maybe", "no"] };
const answer: DrawnField = {
  name: "answer",
  type: "context_string_selection",
  reference_name: "passage",
};
const passage = "The 🚲 bridge opened in 1998.";

function Field({ field }: { field: DrawnField }) {
  const [value, setValue] = useState<FieldValue | null>(null);
  return (
    <main>
      <FieldRenderer
        field={field}
        value={value}
        onChange={setValue}
        context={{ passage }}
        withNumberKeys
      />
      <output aria-label="value">{JSON.stringify(value)}</output>
    </main>
  );
}

const value = () => screen.getByRole("status", { name: "value" });

test.each(schemes)("every field type is accessible in %s", async (scheme) => {
  const { unmount } = renderUi(<Field field={hypothesis} />, scheme);
  await expectAccessible();
  unmount();
  const { unmount: unmountLabel } = renderUi(<Field field={label} />, scheme);
  await expectAccessible();
  unmountLabel();
  renderUi(<Field field={answer} />, scheme);
  await expectAccessible();
});

test("a text too long is told by how much, counted as the server counts", async () => {
  renderUi(<Field field={hypothesis} />);
  await userEvent.type(screen.getByRole("textbox", { name: "Hypothesis" }), "🚲🚲🚲🚲🚲🚲🚲🚲");
  expect(screen.getByText("8 of 10 characters")).toBeInTheDocument();
  await userEvent.type(screen.getByRole("textbox"), "abc");
  expect(screen.getByText("1 characters too many; the most is 10.")).toBeInTheDocument();
});

test("a label is chosen by its number", async () => {
  renderUi(<Field field={label} />);
  await userEvent.keyboard("2");
  expect(screen.getByRole("radio", { name: "maybe" })).toBeChecked();
  await userEvent.keyboard("{Alt>}3{/Alt}");
  expect(value()).toHaveTextContent('"no"');
});

function select(start: number, end: number) {
  const box = screen.getByRole<HTMLTextAreaElement>("textbox");
  box.setSelectionRange(start, end);
  fireEvent.select(box);
}

test("words selected in the passage come with their offsets in code points", () => {
  renderUi(<Field field={answer} />);
  select(passage.indexOf("bridge"), passage.indexOf("bridge") + 6);
  expect(value()).toHaveTextContent('{"text":"bridge","start":6,"end":12}');
  expect(screen.getByText("“bridge”")).toBeInTheDocument();
});

test("a click into the passage keeps the selection, and a button clears it", async () => {
  renderUi(<Field field={answer} />);
  select(4, 13);
  select(2, 2);
  expect(screen.getByText("“🚲 bridge”")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Clear the selection" }));
  expect(screen.getByText("Nothing is selected yet.")).toBeInTheDocument();
});

test("the passage takes no typing", async () => {
  renderUi(<Field field={answer} />);
  await userEvent.type(screen.getByRole("textbox"), "x");
  expect(screen.getByRole("textbox")).toHaveValue(passage);
});

test("line endings that a text box folds do not move the offsets", () => {
  const text = "one\r\ntwo\r\nthree";
  // The box shows "one\ntwo\nthree".
  expect(selectionIn(text, 8, 13)).toEqual({ text: "three", start: 10, end: 15 });
  expect(selectionIn(text, 3, 8)).toEqual({ text: "two", start: 5, end: 8 });
  expect(selectionIn(text, 3, 4)).toBeNull();
});

test("the goal's label is changed inside its sentence or by its number", async () => {
  function Goal() {
    const [goal, setGoal] = useState<string | null>("yes");
    return (
      <GoalSentence message="Fool it." field={label as never} value={goal} onChange={setGoal} />
    );
  }
  renderUi(<Goal />);
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Label" }), "no");
  expect(screen.getByRole("combobox")).toHaveValue("no");
  await userEvent.click(document.body);
  await userEvent.keyboard("2");
  expect(screen.getByRole("combobox")).toHaveValue("maybe");
  await expectAccessible();
});

const metadata: MetadataField[] = [
  { name: "why", type: "string" },
  { name: "model_why", type: "string", model_wrong_condition: true },
  { name: "reason", type: "string", validated_label_condition: "incorrect" },
];

test.each([
  [{}, ["why"]],
  [{ isModelWrong: true }, ["why", "model_why"]],
  [{ isModelWrong: false }, ["why"]],
  [{ vote: "incorrect" as const }, ["why", "reason"]],
  [{ vote: "flagged" as const }, ["why"]],
])("only what fits the situation is asked (%#)", (situation, names) => {
  expect(askedFields(metadata, situation).map((field) => field.name)).toEqual(names);
});

test("the server's complaint stands at its field", () => {
  renderUi(
    <MetadataFields
      fields={metadata}
      situation={{}}
      values={{}}
      onChange={() => undefined}
      context={{}}
      errors={{ why: "Say a little more." }}
    />,
  );
  expect(screen.getByRole("textbox", { name: "Why" })).toHaveAccessibleDescription(
    "Say a little more.",
  );
});
