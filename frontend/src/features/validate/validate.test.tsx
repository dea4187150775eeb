import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { makeSession } from "../../mocks/factories/session";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { items, lend, next, reasons, serveValidating, withConfig } from "../../mocks/validate-wire";
import { answer, refuse, stall } from "../../mocks/wire";

const page = "/tasks/nli/validate";

beforeEach(() => serveValidating());

test("five votes in a row by keyboard alone", async () => {
  const cast = lend(items(6));
  renderApp(page);
  for (const [index, key] of ["1", "2", "3", "1", "2"].entries()) {
    await screen.findByText(`Hypothesis ${index + 1}`);
    await userEvent.keyboard(key);
  }
  await screen.findByText("Hypothesis 6");
  await waitFor(() => expect(cast).toHaveLength(5));
  const kinds = cast.map(({ ballot }) => ballot.vote);
  expect(kinds).toEqual(["correct", "incorrect", "flagged", "correct", "incorrect"]);
  expect(new Set(cast.map(({ key }) => key)).size).toBe(5);
  expect(cast.every(({ ballot }) => typeof ballot.time_spent_seconds === "number")).toBe(true);
  expect(await screen.findByText("5 judged by you")).toBeInTheDocument();
});

test("a vote is undone and its example comes back", async () => {
  const cast = lend(items(3));
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("1");
  await screen.findByText("Hypothesis 2");
  expect(await screen.findByText("Saved: correct.")).toBeInTheDocument();
  await userEvent.keyboard("u");
  expect(await screen.findByText("Hypothesis 1")).toBeInTheDocument();
  await waitFor(() => expect(cast).toHaveLength(0));
});

test("a blind answer that is undone goes to others, and the page says so", async () => {
  const cast = lend(items(2, { mode: "blind", answer: null }));
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("1");
  await screen.findByText("Hypothesis 2");
  expect(await screen.findByText(/If you undo it, others judge/)).toBeInTheDocument();
  await userEvent.keyboard("u");
  await waitFor(() => expect(cast).toHaveLength(0));
  expect(screen.getByText("Hypothesis 2")).toBeInTheDocument();
  expect(screen.queryByText("Hypothesis 1")).not.toBeInTheDocument();
});

test("a reason is asked where the task asks, and labels take the numbers then", async () => {
  const cast = lend(items(2));
  server.use(withConfig({ metadata: { validate: reasons } }));
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("2");
  expect(await screen.findByRole("radiogroup", { name: "Corrected label" })).toBeInTheDocument();
  expect(cast).toHaveLength(0);
  await userEvent.keyboard("3");
  expect(screen.getByRole("radio", { name: /contradiction/ })).toBeChecked();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await screen.findByText("Hypothesis 2");
  await waitFor(() => expect(cast).toHaveLength(1));
  expect(cast[0]?.ballot).toMatchObject({
    vote: "incorrect",
    metadata: { corrected_label: "contradiction" },
  });
});

test("an example is passed over", async () => {
  const cast = lend(items(2));
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("s");
  expect(await screen.findByText("Hypothesis 2")).toBeInTheDocument();
  expect(cast).toHaveLength(0);
});

test("blind, one key answers the task itself, and the author's answer is not there", async () => {
  const cast = lend(items(2, { mode: "blind", answer: null }));
  server.use(withConfig({ metadata: { validate: reasons } }));
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  expect(screen.queryByText("The author says")).not.toBeInTheDocument();
  await userEvent.keyboard("2");
  await screen.findByText("Hypothesis 2");
  await waitFor(() => expect(cast[0]?.ballot.answer).toEqual({ label: "neutral" }));
  await userEvent.keyboard("f");
  await userEvent.type(await screen.findByRole("textbox", { name: "Flag reason" }), "Rude.");
  await userEvent.click(screen.getByRole("button", { name: /Save flag/ }));
  await waitFor(() => expect(cast[1]?.ballot.metadata).toEqual({ flag_reason: "Rude." }));
});

test("the page says when it loads, failed, is empty, or has no round or nobody signed in", async () => {
  server.use(stall("get", next));
  const first = renderApp(page);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();

  server.use(refuse("get", next));
  const second = renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  lend([]);
  const third = renderApp(page);
  expect(await screen.findByText("Nothing waits for you right now.")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Write examples instead" })).toHaveAttribute(
    "href",
    "/tasks/nli/create",
  );
  third.unmount();

  server.use(answer("get", "/api/v1/tasks/:slug/rounds", []));
  const fourth = renderApp(page);
  expect(await screen.findByText("No round is open yet.")).toBeInTheDocument();
  fourth.unmount();

  server.use(answer("get", "/api/v1/session", makeSession()));
  renderApp(page);
  expect(await screen.findByText("Sign in to validate")).toBeInTheDocument();
});

test("a warning comes before the content", async () => {
  lend(items(1));
  server.use(withConfig({ content_warning: "Insults are quoted." }));
  renderApp(page);
  expect(await screen.findByText("Insults are quoted.")).toBeInTheDocument();
  expect(screen.queryByText("Hypothesis 1")).not.toBeInTheDocument();
  await userEvent.keyboard("y");
  expect(await screen.findByText("Hypothesis 1")).toBeInTheDocument();
});

test.each(schemes)("the page is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  lend(items(3));
  server.use(withConfig({ metadata: { validate: reasons } }));
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  await expectAccessible();
  await userEvent.keyboard("2");
  await screen.findByRole("radiogroup", { name: "Corrected label" });
  await expectAccessible();
});
