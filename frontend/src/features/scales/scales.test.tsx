import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeRound } from "../../mocks/factories/round";
import {
  makeContest,
  makeEstimate,
  makeScale,
  makeScaledSet,
  makeSuspicion,
} from "../../mocks/factories/scale";
import { makeTask } from "../../mocks/factories/task";
import { renderApp } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const SCALE = "/api/v1/tasks/:slug/scale";
const SUSPECTED = "/api/v1/rounds/:round_id/suspected-errors";
const PAGE = "/tasks/nli/scale";

beforeEach(() => {
  server.use(
    answer("get", "/api/v1/tasks/:slug", makeTask()),
    answer("get", "/api/v1/tasks/:slug/rounds", []),
  );
});

test("models and rounds stand on one scale, every number with its interval", async () => {
  server.use(answer("get", SCALE, makeScale()));
  renderApp(PAGE);
  const figure = await screen.findByRole("figure", { name: /How able models are/ });
  await userEvent.click(within(figure).getByText("Show the table"));
  expect(
    within(figure)
      .getAllByRole("row")
      .map((row) => row.textContent),
  ).toContain("Round 1 v1Rounds and sets-0.50-0.75-0.25");
  const expected = screen.getByRole("table", { name: /expected to get right/ });
  expect(within(expected).getAllByRole("row")[1]).toHaveTextContent(
    "new v20.80 (0.55 to 1.05)171.2 (66.0 to 76.4)48.3 (42.0 to 54.6)",
  );
  const sets = screen.getByRole("table", { name: /Pairs of models that differ/ });
  expect(within(sets).getAllByRole("row")[1]).toHaveTextContent(
    "Round 1 (without target-1 v1)1,2004-0.50 (-0.75 to -0.25)50 % (3 of 6)33 % (2 of 6)0.50 (3 alike, 0 opposed, of 6)",
  );
  const rates = screen.getByRole("table", { name: /corrected for who played/ });
  expect(
    within(rates)
      .getAllByRole("row")
      .map((row) => row.textContent),
  ).toEqual([
    "RoundAttemptsAnnotatorsAs it isCorrected",
    "Round 14001231.0 %25.5 % (20.1 to 31.4)",
    "Round 200–None of its attempts on a model has an outcome.",
  ]);
  expect(screen.queryByRole("button", { name: "Compute it anew" })).not.toBeInTheDocument();
  await expectAccessible();
});

test("where nothing links rounds the page says so, and still how each tells models apart", async () => {
  const reason = "Nothing links Round 1 with Round 2.";
  const none = { models: 1, told_apart: { value: null, part: 0, whole: 0 } };
  const separability = { ...none, by_intervals: none.told_apart, reason: "Fewer than two." };
  const agreement = {
    value: null,
    agreeing: 0,
    opposed: 0,
    pairs: 0,
    models: 0,
    reason: "Fewer than two.",
  };
  const sets = [makeScaledSet(1, { difficulty: null, spread: null, separability, agreement })];
  server.use(answer("get", SCALE, makeScale({ reason, models: [], notes: [], sets })));
  renderApp(PAGE);
  expect(await screen.findByText(reason)).toBeInTheDocument();
  expect(screen.getByText("Round 1: Fewer than two.")).toBeInTheDocument();
  expect(screen.queryByRole("figure")).not.toBeInTheDocument();
  await expectAccessible();
});

test("owners see skills and compute anew, annotators see their own skill", async () => {
  let asked = 0;
  const skill = { username: "ada", skill: makeEstimate(0.7), attempts: 40 };
  server.use(
    answer("get", "/api/v1/tasks/:slug", makeTask({ my_role: "owner" })),
    answer("get", SCALE, makeScale({ contest: makeContest({ annotators: [skill], mine: skill }) })),
    http.post(`*${SCALE}`, () => {
      asked += 1;
      return HttpResponse.json({}, { status: 202 });
    }),
  );
  renderApp(PAGE);
  expect(await screen.findByRole("table", { name: /for owners/ })).toHaveTextContent(
    "ada0.70 (0.45 to 0.95)40",
  );
  expect(screen.getByText(/Your skill at fooling models is 0.70/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Compute it anew" }));
  await waitFor(() => expect(asked).toBe(1));
});

test("a page that loads, failed or was never computed says so", async () => {
  server.use(stall("get", SCALE));
  const first = renderApp(PAGE);
  expect((await screen.findAllByText("Loading…"))[0]).toBeInTheDocument();
  first.unmount();
  server.use(refuse("get", SCALE, { status: 503, detail: "Try again." }));
  const second = renderApp(PAGE);
  expect(await screen.findByRole("button", { name: "Try again" })).toBeInTheDocument();
  second.unmount();
  const contest = makeContest({ models: [], rounds: [], reason: "Not yet." });
  server.use(
    answer(
      "get",
      SCALE,
      makeScale({ as_of: null, is_current: false, models: [], sets: [], reason: "Soon.", contest }),
    ),
  );
  renderApp(PAGE);
  expect(await screen.findByText(/computed for the first time/)).toBeInTheDocument();
  // Nothing is said of a scale that nobody has looked for yet.
  expect(screen.queryByText(/Soon|Not yet/)).not.toBeInTheDocument();
});

test("experts look again at gold answers that may be wrong, but not at their own", async () => {
  const told: unknown[] = [];
  const own = makeSuspicion(2, {
    responses: null,
    votes: { label: "incorrect", probability: 8, votes: 4 },
  });
  const other = makeSuspicion(1);
  const theirs = { ...other.example, example: { ...other.example.example, annotator: "bea" } };
  const page: Schemas["SuspicionPage"] = {
    items: [{ ...other, example: theirs }, own],
    next_cursor: null,
    open: 2,
    right: 1,
    wrong: 0,
  };
  serveConsole({ role: "expert", rounds: [makeRound({ status: "released" })] });
  server.use(
    answer("get", "/api/v1/rounds/:round_id/outcomes", { items: [], next_cursor: null }),
    answer("get", SUSPECTED, page),
    http.post("*/api/v1/examples/:id/suspected-error", async ({ request, params }) => {
      told.push([params.id, await request.json()]);
      return HttpResponse.json(makeSuspicion(1));
    }),
  );
  renderApp("/tasks/nli/owner/examples");
  const section = await screen.findByRole("region", { name: "Gold answers that may be wrong" });
  expect(section).toHaveTextContent("2 to look at, 1 found right, 0 found wrong");
  const [first, second] = within(section).getAllByRole("listitem");
  expect(first).toHaveTextContent("Of 5 models, strong ones get it wrong");
  expect(first).toHaveTextContent("Wrong: new v2. Right: old v1.");
  expect(second).toHaveTextContent("say incorrect; the answer that counts is 8 % likely.");
  expect(second).toHaveTextContent("You wrote this one.");
  await userEvent.click(within(section).getByRole("button", { name: "It is wrong" }));
  await waitFor(() =>
    expect(told).toEqual([[page.items[0]?.example.example.id, { finding: "wrong" }]]),
  );
  await expectAccessible();
});
