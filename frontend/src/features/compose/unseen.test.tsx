import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { serveComposing } from "../../mocks/compose-wire";
import { makeTask } from "../../mocks/factories/task";
import { renderApp } from "../../mocks/render";

test("of a field that models do not see the page says so, and of others nothing", async () => {
  const task = makeTask();
  const fields = task.config.input as object[];
  const source = { name: "source", type: "string", is_shown_to_model: false };
  serveComposing({ task: { ...task, config: { ...task.config, input: [source, ...fields] } } });
  renderApp("/tasks/nli/create");
  expect(await screen.findByRole("textbox", { name: "Source" })).toBeInTheDocument();
  expect(screen.getByRole("textbox", { name: "Hypothesis" })).toBeInTheDocument();
  expect(screen.getAllByText("Models do not see this.")).toHaveLength(1);
  await expectAccessible();
});
