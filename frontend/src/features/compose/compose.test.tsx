import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { serveComposing } from "../../mocks/compose-wire";
import { makeRound } from "../../mocks/factories/round";
import { makeTask } from "../../mocks/factories/task";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, breakOff, refuse, stall } from "../../mocks/wire";

const address = "/tasks/nli/create";
const examples = "/api/v1/rounds/:id/examples";
const nextContext = "/api/v1/rounds/:id/next-context";

const field = () => screen.findByRole("textbox", { name: "Hypothesis" });

test.each(schemes)("a try shows what everyone said, and is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  const sent = serveComposing();
  renderApp(address);
  expect(await screen.findByText("Premise number 1.")).toBeInTheDocument();
  expect(screen.getByText(/round 2 · target: starter v1/)).toBeInTheDocument();
  expect(await screen.findByText("14 tries · 5 fooled · 3 confirmed")).toBeInTheDocument();
  expect(await screen.findByText(/appears here as soon as you submit/)).toBeInTheDocument();
  await userEvent.type(await field(), "At least one lift works.");
  await userEvent.click(screen.getByRole("button", { name: "Submit" }));
  const card = within(await screen.findByRole("article"));
  expect(card.getByText("“At least one lift works.”")).toBeInTheDocument();
  expect(card.getByText("You fooled it.")).toBeInTheDocument();
  expect(card.getByText(/Waiting for 3 people/)).toBeInTheDocument();
  expect(screen.getByText("The model said contradiction. You fooled it.")).toBeInTheDocument();
  expect(screen.getByText("9 tries left")).toBeInTheDocument();
  expect(await field()).toHaveValue("At least one lift works.");
  expect(await field()).toHaveFocus();
  expect(sent.examples[0]?.body.answer).toEqual({ label: "entailment" });
  expect(sent.examples[0]?.body.time_spent_seconds).toBeGreaterThanOrEqual(0);
  await expectAccessible();
});

test("five examples are written in a row without the mouse", async () => {
  const sent = serveComposing();
  renderApp(address);
  await screen.findByText("Premise number 1.");
  const user = userEvent.setup();
  await user.keyboard("w");
  for (let number = 1; number <= 5; number += 1) {
    await screen.findByText(`Premise number ${number}.`);
    await waitFor(async () => expect(await field()).toHaveFocus());
    await user.keyboard("{Alt>}2{/Alt}");
    await user.keyboard(`Example ${number}`);
    await user.keyboard(number % 2 === 0 ? "{Enter}" : "{Control>}{Enter}{/Control}");
    await waitFor(() => expect(sent.examples).toHaveLength(number));
    await screen.findByText(`“Example ${number}”`);
    await waitFor(async () => expect(await field()).toHaveFocus());
    await user.keyboard("{Alt>}n{/Alt}");
  }
  expect(sent.examples.map(({ body }) => body.inputs.hypothesis)).toEqual(
    [1, 2, 3, 4, 5].map((number) => `Example ${number}`),
  );
  expect(sent.examples.every(({ body }) => body.answer.label === "neutral")).toBe(true);
});

test("where no model is shown, a try is stored without a word of it", async () => {
  serveComposing({ isBlind: true });
  renderApp(address);
  expect(await screen.findByText(/No model is shown on this one/)).toBeInTheDocument();
  expect(screen.queryByText(/answer appears here as soon as/)).not.toBeInTheDocument();
  await userEvent.type(await field(), "At least one lift works.");
  await userEvent.click(screen.getByRole("button", { name: "Submit" }));
  const card = within(await screen.findByRole("article"));
  expect(card.getByText(/^Stored\. What the model answered is shown/)).toBeInTheDocument();
  expect(card.queryByText(/fooled|contradiction/)).not.toBeInTheDocument();
  await expectAccessible();
});

test("the context and the draft are there again after a reload", async () => {
  serveComposing();
  const { unmount } = renderApp(address);
  await userEvent.type(await field(), "Half a sentence");
  await userEvent.selectOptions(
    screen.getByRole("combobox", { name: "Relation to the premise" }),
    "contradiction",
  );
  unmount();
  renderApp(address);
  expect(await screen.findByText("Resumed.")).toBeInTheDocument();
  expect(await field()).toHaveValue("Half a sentence");
  expect(screen.getByRole("combobox")).toHaveValue("contradiction");
});

test("an attempt whose answer was lost is sent again as the same request", async () => {
  const sent = serveComposing();
  renderApp(address);
  await userEvent.type(await field(), "Once");
  server.use(breakOff("post", examples));
  await userEvent.keyboard("{Enter}");
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("Nothing was lost");
  expect(await field()).toHaveValue("Once");
  server.resetHandlers();
  const again = serveComposing();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(again.examples).toHaveLength(1));
  expect(sent.examples).toHaveLength(0);
  expect(again.examples[0]?.key).not.toBeNull();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

test("a text too close to another shows that one", async () => {
  serveComposing();
  server.use(
    refuse("post", examples, {
      status: 409,
      code: "examples.near_duplicate",
      detail: "This is very close.",
      facts: { text: "At least one lift works.", similarity: 0.9 },
    }),
  );
  renderApp(address);
  await userEvent.type(await field(), "At least one lift worked.{Enter}");
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("At least one lift works.");
  expect(alert).toHaveTextContent("your text is still here");
});

test("of a text too close to another person's nothing is shown", async () => {
  serveComposing();
  server.use(
    refuse("post", examples, {
      status: 409,
      code: "examples.near_duplicate",
      detail: "This is very close to an example of somebody else in this round.",
    }),
  );
  renderApp(address);
  await userEvent.type(await field(), "At least one lift worked.{Enter}");
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("very close to an example of somebody else");
  expect(within(alert).queryByRole("blockquote")).not.toBeInTheDocument();
});

test("what is wrong with a field stands beside it", async () => {
  serveComposing();
  server.use(
    refuse("post", examples, {
      status: 422,
      code: "tasks.value_invalid",
      fields: { "inputs.hypothesis": "It has 1 character; write at least 3." },
    }),
  );
  renderApp(address);
  await userEvent.type(await field(), "x{Enter}");
  expect(await screen.findByText(/write at least 3/)).toBeInTheDocument();
  expect(await field()).toBeInvalid();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

test("who was signed out meanwhile finds the way back", async () => {
  serveComposing();
  server.use(
    refuse("post", examples, { status: 401, code: "unauthenticated", detail: "Sign in." }),
  );
  renderApp(address);
  await userEvent.type(await field(), "Kept{Enter}");
  const link = await screen.findByRole("link", { name: "Sign in and come back" });
  expect(link).toHaveAttribute("href", "/sign-in?next=%2Ftasks%2Fnli%2Fcreate");
  expect(await field()).toHaveValue("Kept");
});

test("a skipped context is passed over from then on", async () => {
  const sent = serveComposing();
  renderApp(address);
  await screen.findByText("Premise number 1.");
  await userEvent.keyboard("s");
  await screen.findByText("Premise number 2.");
  await userEvent.click(screen.getByRole("button", { name: "New context" }));
  await screen.findByText("Premise number 3.");
  expect(sent.skips[2]).toHaveLength(2);
});

test("the page loads, runs out of contexts, and fails", async () => {
  serveComposing();
  server.use(stall("post", nextContext));
  const { unmount } = renderApp(address);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  unmount();

  const detail = "You have worked through every context of this round. Thank you!";
  server.use(
    refuse("post", nextContext, { status: 404, code: "assignments.no_context_left", detail }),
  );
  const { unmount: unmountEmpty } = renderApp(address);
  expect(await screen.findByText(detail)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Validate examples" })).toHaveAttribute(
    "href",
    "/tasks/nli/validate",
  );
  unmountEmpty();

  server.use(refuse("post", nextContext));
  renderApp(address);
  expect(await screen.findByRole("button", { name: "Try again" })).toBeInTheDocument();
});

test("a closed round says so, and shows the draft that was left", async () => {
  serveComposing();
  const { unmount } = renderApp(address);
  await userEvent.type(await field(), "Too late");
  unmount();
  server.use(
    answer("get", "/api/v1/tasks/:slug/current-round", {
      task_slug: "nli",
      round: makeRound({ status: "closed" }),
      error_rate: null,
    }),
  );
  renderApp(address);
  expect(await screen.findByText("No round is open")).toBeInTheDocument();
  expect(screen.getByText("Too late")).toBeInTheDocument();
  await expectAccessible();
});

test("a visitor plays without an account and is invited to sign in", async () => {
  serveComposing({ isVisitor: true });
  renderApp(address);
  const link = await screen.findByRole("link", { name: "Sign in to write examples that count" });
  expect(link).toHaveAttribute("href", "/sign-in?next=%2Ftasks%2Fnli%2Fcreate");
  expect(await screen.findByText("Two of the four lifts were out of order.")).toBeInTheDocument();
});

test("a warning comes before the content, is remembered, and Escape leaves from a field", async () => {
  const task = makeTask();
  task.config = { ...task.config, content_warning: "Some of this is rude." };
  serveComposing({ task });
  server.use(answer("get", "/api/v1/tasks", []), answer("get", "/api/v1/current-rounds", []));
  const { router, unmount } = renderApp(address);
  expect(await screen.findByText("Some of this is rude.")).toBeInTheDocument();
  expect(screen.queryByText(/Premise/)).not.toBeInTheDocument();
  await expectAccessible();
  await userEvent.click(screen.getByRole("checkbox", { name: /Do not ask me again/ }));
  await userEvent.click(screen.getByRole("button", { name: "Show it" }));
  await userEvent.type(await field(), "Enough");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  unmount();
  renderApp(address);
  expect(await field()).toHaveValue("Enough");
});
