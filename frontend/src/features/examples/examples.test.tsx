import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeOutcome, makeOutcomeVote } from "../../mocks/factories/console";
import { makeRound } from "../../mocks/factories/round";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";
import { readExampleSearch } from "./filters";

const outcomes = "/api/v1/rounds/:round_id/outcomes";
const decisions = "/api/v1/rounds/:round_id/expert-decisions";
const page = "/tasks/nli/owner/examples";

/** A server that lists the examples and keeps what it was asked and told. */
function list(items: Schemas["OutcomeRead"][]) {
  const asked: URLSearchParams[] = [];
  const told: unknown[] = [];
  const keep = async ({ request }: { request: Request }) => {
    const body = (await request.json()) as { example_ids: string[] };
    told.push(body);
    return HttpResponse.json({ decided: body.example_ids.length, passed_over: [] });
  };
  server.use(
    http.get(`*${outcomes}`, ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ items, next_cursor: null });
    }),
    http.post(`*${decisions}`, keep),
    http.post("*/api/v1/rounds/:round_id/voided-examples", keep),
  );
  return { asked, told };
}

beforeEach(() => serveConsole());

test("an example shows what its author, the model and the validators said", async () => {
  list([
    makeOutcome(1, {
      votes: [
        makeOutcomeVote({ metadata: { flag_reason: "Rude." }, vote: "flagged" }),
        makeOutcomeVote({ id: "2", validator: "cem", is_expert: true }),
      ],
    }),
  ]);
  renderApp(page);
  const row = (await screen.findByText("Hypothesis 1")).closest("li");
  expect(row).toHaveTextContent("Author: entailment");
  expect(row).toHaveTextContent("starter v1: contradiction");
  expect(row).toHaveTextContent("bea: flagged · Flag reason: Rude.");
  expect(row).toHaveTextContent("cem: correct · expert");
  expect(row).toHaveTextContent("Disputed");
});

test("the disputed queue is one press away, and filters stand in the address", async () => {
  const { asked } = list([makeOutcome(1)]);
  const { router } = renderApp(page);
  await userEvent.click(await screen.findByRole("button", { name: "Disputed: 1" }));
  await waitFor(() => expect(router.state.location.search).toEqual({ verdict: "disputed" }));
  await userEvent.selectOptions(screen.getByLabelText("By its author"), "Retracted");
  await userEvent.selectOptions(screen.getByLabelText("Fooled the model"), "Yes");
  await userEvent.type(screen.getByLabelText("Search in examples and contexts"), "ferry");
  await waitFor(() => expect(asked.at(-1)?.get("search")).toBe("ferry"));
  expect(Object.fromEntries(asked.at(-1) ?? [])).toEqual({
    search: "ferry",
    verdict: "disputed",
    retracted: "true",
    fooled: "true",
  });
  await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

test("two examples are chosen and decided by keyboard, after one question", async () => {
  const { told } = list([makeOutcome(1), makeOutcome(2), makeOutcome(3)]);
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("jxjx");
  expect(screen.getByText("2 chosen")).toBeInTheDocument();
  await userEvent.keyboard("2");
  const dialog = await screen.findByRole("dialog", { name: "Decide 2 examples: incorrect" });
  expect(dialog).toHaveTextContent("becomes the verdict of all 2 at once");
  expect(told).toEqual([]);
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByText("2 examples are decided.")).toBeInTheDocument();
  expect(told).toEqual([
    {
      example_ids: [makeOutcome(1).example.id, makeOutcome(2).example.id],
      vote: "incorrect",
      metadata: {},
    },
  ]);
  expect(screen.getByText("0 chosen")).toBeInTheDocument();
});

test("in a released round nothing is decided, and the bar says why", async () => {
  serveConsole({ rounds: [makeRound({ status: "released" })] });
  list([makeOutcome(1)]);
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("jx1");
  const bar = screen.getByRole("group", { name: "What to do with the chosen examples" });
  expect(bar).toHaveTextContent("This round is released; nothing in it changes any more.");
  const deeds = within(bar).getAllByRole("button").slice(-4);
  expect(deeds.map((deed) => deed.hasAttribute("disabled"))).toEqual([true, true, true, true]);
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
});

test("taking examples out needs a reason", async () => {
  const { told } = list([makeOutcome(1)]);
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("a");
  await userEvent.click(screen.getByRole("button", { name: "Take out…" }));
  const dialog = await screen.findByRole("dialog");
  const confirm = within(dialog).getByRole("button", { name: "Take 1 example out" });
  expect(confirm).toBeDisabled();
  await userEvent.type(within(dialog).getByRole("textbox", { name: /Why/ }), "Names a person.");
  await userEvent.click(confirm);
  await waitFor(() =>
    expect(told).toEqual([{ example_ids: [makeOutcome(1).example.id], reason: "Names a person." }]),
  );
});

test("a refused decision is told in the dialog, and the choice stays", async () => {
  list([makeOutcome(1)]);
  server.use(refuse("post", decisions, { detail: "The round has been released." }));
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("a1");
  await screen.findByRole("dialog");
  await userEvent.keyboard("{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("The round has been released.");
});

test("the page says when it loads, failed, is empty, or nothing is like that", async () => {
  server.use(stall("get", outcomes));
  const first = renderApp(page);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();

  server.use(refuse("get", outcomes));
  const second = renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  list([]);
  const third = renderApp(page);
  expect(await screen.findByText(/Nobody has written an example/)).toBeInTheDocument();
  third.unmount();

  const fourth = renderApp(`${page}?verdict=disputed`);
  expect(await screen.findByText("Nothing waits for an expert here.")).toBeInTheDocument();
  fourth.unmount();

  server.use(answer("get", "/api/v1/tasks/:slug/rounds", []));
  renderApp(page);
  expect(await screen.findByText(/There is no round yet/)).toBeInTheDocument();
});

test("an expert may browse but not export; others are told whom to ask", async () => {
  list([makeOutcome(1)]);
  serveConsole({ role: "expert" });
  const first = renderApp(page);
  expect(await screen.findByText("Hypothesis 1")).toBeInTheDocument();
  expect(screen.queryByText("Export with votes (JSONL)")).not.toBeInTheDocument();
  first.unmount();

  const second = renderApp("/tasks/nli/owner/members");
  expect(await screen.findByText("This part is for the task's owners.")).toBeInTheDocument();
  second.unmount();

  serveConsole({ role: null, isVisitor: true });
  renderApp(page);
  expect(await screen.findByText(/owners and experts/)).toBeInTheDocument();
  await screen.findByText(
    "Ask an owner for a join link, or sign in with the account that has the role.",
  );
});

test("an address that is not understood restricts nothing", () => {
  expect(readExampleSearch({ round: "x", verdict: "odd", fooled: "maybe", tag: " " })).toEqual({});
  expect(readExampleSearch({ round: 2, verdict: "correct", fooled: false, search: 7 })).toEqual({
    round: 2,
    verdict: "correct",
    fooled: false,
    search: "7",
  });
});

test.each(schemes)("the page is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  list([makeOutcome(1), makeOutcome(2)]);
  renderApp(page);
  await screen.findByText("Hypothesis 1");
  await expectAccessible();
  await userEvent.keyboard("a1");
  await screen.findByRole("dialog");
  await expectAccessible();
});
