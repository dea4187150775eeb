import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { items, lend, serveValidating, withConfig } from "../../mocks/validate-wire";

const page = "/tasks/nli/validate";
const question = "What is your answer?";
const answers = [
  { name: "topics", type: "multilabel", labels: ["boats", "weather"] },
  { name: "places", type: "spans", reference_name: "premise", labels: ["place"] },
  { name: "clarity", type: "rating", not_applicable: true },
  { name: "count", type: "number", min: 0 },
];
const config = {
  context: [{ name: "premise", type: "string" }],
  input: [{ name: "hypothesis", type: "string" }, ...answers],
  output: answers.map(({ name }) => ({ name })),
  metadata: { create: [], validate: [] },
};
const premise = "The ferry stayed in the harbour.";
const harbour = { text: "harbour", start: 24, end: 31, label: "place" };

beforeEach(() => {
  serveValidating();
  server.use(withConfig(config));
});

test("blind, an answer of several fields is given, and the text is drawn once", async () => {
  const cast = lend(items(2, { mode: "blind", answer: null }));
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  const box = screen.getByRole<HTMLTextAreaElement>("textbox", {
    name: "Places: mark in the text",
  });
  expect(screen.queryByRole("definition", { name: "Premise" })).not.toBeInTheDocument();
  // What is judged is read first: the fields below it do not draw the page to themselves.
  expect(document.activeElement?.closest("form") ?? null).toBeNull();
  expect(screen.getByRole("button", { name: /Save answer/ })).toBeDisabled();
  await userEvent.keyboard("2");
  expect(screen.getByRole("checkbox", { name: /weather/ })).toBeChecked();
  box.focus();
  box.setSelectionRange(harbour.start, harbour.end);
  fireEvent.select(box);
  await userEvent.keyboard("1");
  await userEvent.click(screen.getByRole("radio", { name: "4" }));
  await userEvent.type(screen.getByRole("spinbutton", { name: /Count/ }), "-1");
  expect(screen.getByText("Too small; the least is 0.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: /Save answer/ })).toBeDisabled();
  await userEvent.clear(screen.getByRole("spinbutton"));
  await userEvent.type(screen.getByRole("spinbutton"), "0");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByText("Hypothesis 2");
  await waitFor(() => expect(cast).toHaveLength(1));
  expect(cast[0]?.ballot.answer).toEqual({
    topics: ["weather"],
    places: [harbour],
    clarity: 4,
    count: 0,
  });
});

const said = { topics: [], places: [harbour], clarity: "not_applicable", count: 0 };

test.each(schemes)("the author's answer of every kind is read in words in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  lend(items(1, { answer: said }));
  renderApp(page);
  const card = within(await screen.findByRole("region", { name: "Is the author's answer right?" }));
  const read = card.getAllByRole("definition").map((one) => one.textContent);
  expect(read).toEqual([
    premise.replace("harbour", "harbour place"),
    "Hypothesis 1",
    "None of these",
    "1“harbour” place",
    "Not applicable",
    "0",
  ]);
  await expectAccessible();
});

test.each(schemes)("a blind answer of several fields is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  lend(items(1, { mode: "blind", answer: null }));
  renderApp(page);
  await screen.findByRole("heading", { name: question });
  await expectAccessible();
});

test("a warning that was remembered is shown again once its text is another", async () => {
  lend(items(1));
  server.use(withConfig({ ...config, content_warning: "Storms." }));
  const first = renderApp(page);
  await userEvent.click(await screen.findByRole("checkbox"));
  await userEvent.keyboard("y");
  await screen.findByText("Hypothesis 1");
  first.unmount();
  const again = renderApp(page);
  await screen.findByText("Hypothesis 1");
  server.use(withConfig({ ...config, content_warning: "Storms and wrecks." }));
  await again.client.refetchQueries();
  expect(await screen.findByText("Storms and wrecks.")).toBeInTheDocument();
  expect(screen.queryByText("Hypothesis 1")).not.toBeInTheDocument();
});
