import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";

import type { FieldValue } from "../../../lib/field-values";
import type { DrawnField } from "../../../lib/task-config";
import { expectAccessible } from "../../../mocks/axe";
import { renderUi, schemes } from "../../../mocks/render";
import { FieldRenderer } from "./field-renderer";

const topics: DrawnField = {
  name: "topics",
  type: "multilabel",
  labels: ["sport", "money", "art"],
};
const count: DrawnField = { name: "count", type: "number", min: 0, max: 10, step: 0.5 };
const clarity: DrawnField = { name: "clarity", type: "rating", not_applicable: true };
const score: DrawnField = { name: "score", type: "rating", min: 0, max: 100, not_applicable: true };

function Field({ field, error }: { field: DrawnField; error?: string }) {
  const [value, setValue] = useState<FieldValue | null>(null);
  return (
    <main>
      <FieldRenderer
        field={field}
        value={value}
        onChange={setValue}
        context={{}}
        error={error}
        isRequired
        withNumberKeys
      />
      <output aria-label="value">{JSON.stringify(value)}</output>
    </main>
  );
}

const value = () => screen.getByRole("status", { name: "value" }).textContent;

test.each(schemes)("every kind of choice is accessible in %s", async (scheme) => {
  for (const field of [topics, count, clarity, score]) {
    const { unmount } = renderUi(<Field field={field} error="Say a little more." />, scheme);
    await expectAccessible();
    unmount();
  }
});

test("several labels are chosen by number and kept in the config's order", async () => {
  renderUi(<Field field={topics} />);
  await userEvent.keyboard("3");
  await userEvent.keyboard("1");
  expect(value()).toBe('["sport","art"]');
  await userEvent.click(screen.getByRole("checkbox", { name: /sport/ }));
  await userEvent.keyboard("3");
  // To say nothing is not to say that none fits.
  expect(value()).toBe("null");
});

test("that no label fits is said on its own, and any label takes it back", async () => {
  renderUi(<Field field={topics} />);
  await userEvent.keyboard("0");
  expect(value()).toBe("[]");
  expect(screen.getByRole("checkbox", { name: /None of these/ })).toBeChecked();
  await userEvent.keyboard("2");
  expect(value()).toBe('["money"]');
  expect(screen.getByRole("checkbox", { name: /None of these/ })).not.toBeChecked();
});

test("a number says what it may be, and what is wrong with it", async () => {
  renderUi(<Field field={count} />);
  const box = screen.getByRole("spinbutton", { name: /Count/ });
  expect(box).toHaveAccessibleDescription("From 0 to 10. In steps of 0.5.");
  await userEvent.type(box, "7.3");
  expect(value()).toBe("7.3");
  expect(screen.getByText("Not a step of 0.5; the nearest are 7 and 7.5.")).toBeInTheDocument();
  await userEvent.clear(box);
  expect(value()).toBe("null");
  await userEvent.type(box, "12");
  expect(screen.getByText("Too large; the most is 10.")).toBeInTheDocument();
});

test("a rating is given by its number or said not to apply", async () => {
  renderUi(<Field field={clarity} />);
  expect(screen.getByRole("radiogroup", { name: /Clarity/ })).toHaveAccessibleDescription(
    "From 1 (lowest) to 5 (highest).",
  );
  await userEvent.keyboard("4");
  expect(value()).toBe("4");
  expect(screen.getByRole("radio", { name: "4" })).toBeChecked();
  await userEvent.keyboard("x");
  expect(value()).toBe('"not_applicable"');
});

test("a long scale is a number to type, which still may not apply", async () => {
  renderUi(<Field field={score} />);
  await userEvent.type(screen.getByRole("spinbutton", { name: /Score/ }), "85");
  expect(value()).toBe("85");
  await userEvent.click(screen.getByRole("radio", { name: "Not applicable" }));
  expect(value()).toBe('"not_applicable"');
  expect(screen.getByRole("spinbutton")).toHaveValue(null);
});
