import { fireEvent, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";

import type { FieldValue } from "../../../lib/field-values";
import type { DrawnField } from "../../../lib/task-config";
import { expectAccessible } from "../../../mocks/axe";
import { renderUi, schemes } from "../../../mocks/render";
import { FieldRenderer } from "./field-renderer";
import { FieldValues, textMarks } from "./field-values";

const passage: DrawnField = { name: "text", type: "string", language: "he", direction: "rtl" };
const labelled: DrawnField = {
  name: "names",
  type: "spans",
  reference_name: "text",
  labels: ["person", "place"],
};
const plain: DrawnField = { name: "names", type: "spans", reference_name: "text" };
const words = "Ada 🚲 rode to Bath.";

function Marking({ field, start = null }: { field: DrawnField; start?: FieldValue | null }) {
  const [value, setValue] = useState(start);
  const [text, setText] = useState(words);
  return (
    <main>
      <FieldRenderer
        field={passage}
        value={text}
        onChange={(next) => setText(typeof next === "string" ? next : "")}
        context={{}}
      />
      <FieldRenderer
        field={field}
        value={value}
        onChange={setValue}
        context={{ text }}
        sources={[passage]}
      />
      <output aria-label="value">{JSON.stringify(value)}</output>
    </main>
  );
}

const value = () => screen.getByRole("status", { name: "value" }).textContent;
const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: /mark in the text/ });

function select(part: string) {
  const start = words.indexOf(part);
  box().focus();
  box().setSelectionRange(start, start + part.length);
  fireEvent.select(box());
}

test("selected words are marked with a label by its number", async () => {
  renderUi(<Marking field={labelled} />);
  select("Bath");
  await userEvent.keyboard("2");
  select("Ada ");
  await userEvent.keyboard("1");
  expect(value()).toBe(
    '[{"text":"Ada","start":0,"end":3,"label":"person"},{"text":"Bath","start":14,"end":18,"label":"place"}]',
  );
  const marks = within(screen.getByRole("list", { name: "Marked places" }));
  expect(marks.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "1“Ada” person",
    "2“Bath” place",
  ]);
});

test("a mark is taken away, and without any nothing is said", async () => {
  renderUi(<Marking field={plain} />);
  select("Ada");
  await userEvent.keyboard("{Enter}");
  expect(value()).toBe('[{"text":"Ada","start":0,"end":3}]');
  await userEvent.click(screen.getByRole("button", { name: "Remove the mark on “Ada”" }));
  expect(value()).toBe("null");
  expect(screen.getByText("Removed the mark on “Ada”.")).toBeInTheDocument();
  expect(box()).toHaveFocus();
});

test("that there is nothing to mark is said on its own", async () => {
  renderUi(<Marking field={plain} />);
  await userEvent.click(screen.getByRole("checkbox", { name: "Nothing to mark" }));
  expect(value()).toBe("[]");
  select("rode");
  await userEvent.click(screen.getByRole("button", { name: "Mark" }));
  expect(value()).toBe('[{"text":"rode","start":6,"end":10}]');
});

test("where one place is asked, the next mark takes the place of the last", async () => {
  renderUi(<Marking field={{ ...plain, multiple: false }} />);
  select("Ada");
  await userEvent.keyboard("{Enter}");
  select("Bath");
  await userEvent.keyboard("{Enter}");
  expect(value()).toBe('[{"text":"Bath","start":14,"end":18}]');
});

test("marks move with the text that is written, and go with their words", () => {
  const marks = [
    { text: "Ada", start: 0, end: 3 },
    { text: "Bath", start: 14, end: 18 },
  ];
  renderUi(<Marking field={plain} start={marks} />);
  const writing = screen.getByRole("textbox", { name: "Text" });
  fireEvent.change(writing, { target: { value: `So ${words}` } });
  expect(value()).toBe('[{"text":"Ada","start":3,"end":6},{"text":"Bath","start":17,"end":21}]');
  fireEvent.change(writing, { target: { value: "So Ada 🚲 rode." } });
  expect(value()).toBe('[{"text":"Ada","start":3,"end":6}]');
  expect(screen.getByText("1 mark is gone, because its words were changed.")).toBeInTheDocument();
  fireEvent.change(writing, { target: { value: "" } });
  expect(value()).toBe("null");
});

test("the text to mark in reads as its field does", () => {
  renderUi(<Marking field={plain} />);
  expect(box()).toHaveAttribute("dir", "rtl");
  expect(box()).toHaveAttribute("lang", "he");
});

const overlapping = [
  { text: "Ada 🚲 rode", start: 0, end: 10, label: "person" },
  { text: "rode to Bath", start: 6, end: 18, label: "place" },
];

test.each(schemes)("marks are accessible where they are made and read in %s", async (scheme) => {
  renderUi(
    <>
      <Marking field={labelled} start={overlapping} />
      <FieldValues
        fields={[passage]}
        values={{ text: words }}
        marks={textMarks([labelled], { names: overlapping })}
      />
    </>,
    scheme,
  );
  await expectAccessible();
});

test("a reader finds each label in words behind what it marks", () => {
  const fields = [passage, labelled];
  const values = { text: words, names: overlapping };
  renderUi(<FieldValues fields={fields} values={values} marks={textMarks([labelled], values)} />);
  expect(screen.getAllByRole("definition")[0]).toHaveTextContent(
    "Ada 🚲 rode person to Bath place.",
  );
});
