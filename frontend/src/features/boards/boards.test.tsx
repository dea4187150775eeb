import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { makeBoard, makeBoardModel, makeBoardRow, makeFigure } from "../../mocks/factories/board";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { makeTask } from "../../mocks/factories/task";
import { renderApp } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse } from "../../mocks/wire";
import { readBoardSearch, writeWeights } from "./board-search";
import { rangeOf, writeRank } from "./figures";
import { labelled, scale, ticks } from "./plot-rules";

const BOARD = "/api/v1/tasks/:slug/board";

beforeEach(() => {
  server.use(
    answer("get", "/api/v1/tasks/:slug", makeTask()),
    answer("get", "/api/v1/tasks/:slug/rounds", []),
    answer("get", "/api/v1/tasks/:slug/boards", []),
    answer("get", BOARD, makeBoard()),
  );
});

test("models stand with ranks as intervals, fragile scores and every n", async () => {
  renderApp("/tasks/nli/leaderboard");
  const table = await screen.findByRole("table", { name: /2 models that have all/ });
  const [, first] = within(table).getAllByRole("row");
  expect(first).toHaveTextContent("1–2");
  expect(first).toHaveTextContent("model-1 v1ada");
  expect(first).toHaveTextContent("59.055.0 to 62.0one model less: 50.0 to 70.0");
  expect(first).toHaveTextContent("79.075.0 to 83.0, n 400");
  await expectAccessible();
});

test("few models, and a dataset that is too small, are said on the board", async () => {
  const reason = "It has too few items (3) to weigh anything unless you give it a weight.";
  const told = { code: "boards.few_items", values: { items: 3 } };
  const [round] = makeBoard().datasets;
  if (round === undefined) throw new Error("A board has a dataset.");
  const small = { ...round, key: "small", title: "Small", weight: 0, share: 0, reason };
  const datasets = [round, { ...small, reason_told: told }];
  server.use(
    http.get(`*${BOARD}`, () => HttpResponse.json(makeBoard({ datasets, rates_from: "fixed" }))),
  );
  renderApp("/tasks/nli/leaderboard");
  await screen.findByRole("table", { name: /Metrics are exchanged by fixed rates/ });
  expect(screen.getByText(reason)).toBeInTheDocument();
});

test("a board without ranks says why beside the table", async () => {
  const rows = makeBoard().rows.map((row) => ({ ...row, rank: null }));
  server.use(http.get(`*${BOARD}`, () => HttpResponse.json(makeBoard({ rows }))));
  renderApp("/tasks/nli/leaderboard");
  const table = await screen.findByRole("table", { name: /Nobody has a rank.*too few contexts/ });
  expect(table).not.toHaveAccessibleName(/The rank is by/);
});

test("a moved slider asks anew, stands in the address and can be taken back", async () => {
  const asked: string[] = [];
  server.use(
    http.get(`*${BOARD}`, ({ request }) => {
      const metrics = new URL(request.url).searchParams.get("metrics");
      if (metrics !== null) asked.push(metrics);
      const board = makeBoard();
      const [, throughput] = board.metrics;
      if (throughput !== undefined && metrics !== null) throughput.weight = 0;
      return HttpResponse.json(board);
    }),
  );
  const { router } = renderApp("/tasks/nli/leaderboard?metrics=accuracy:4,throughput:1");
  const slider = await screen.findByRole("slider", { name: /^Throughput/ });
  expect(slider).toHaveAttribute("aria-valuetext", expect.stringContaining("of 5"));
  await userEvent.click(screen.getByRole("button", { name: "Back to the task's own weights" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  expect(asked).toEqual(["accuracy:4,throughput:1"]);
});

test("an address that makes no sense leads back to the board", async () => {
  const budgets: (string | null)[] = [];
  server.use(
    http.get(`*${BOARD}`, ({ request }) => {
      const asked = new URL(request.url).searchParams;
      budgets.push(asked.get("budget"));
      const problem = { status: 422, code: "boards.weights_invalid", detail: "“foo” is not here." };
      return asked.has("metrics")
        ? HttpResponse.json(problem, { status: 422 })
        : HttpResponse.json(makeBoard());
    }),
  );
  renderApp("/tasks/nli/leaderboard?metrics=foo&budget=-1");
  await userEvent.click(
    await screen.findByRole("link", { name: "Back to the task's own weights" }),
  );
  await screen.findByRole("table", { name: /2 models that have all/ });
  expect(new Set(budgets)).toEqual(new Set([null]));
});

test("who is not ranked stands below with what is missing", async () => {
  const model = makeBoardModel(3, { isolation: "trusted", submitted_by: null, is_anonymous: true });
  const reason = "Its memory was not measured.";
  server.use(
    answer(
      "get",
      BOARD,
      makeBoard({
        incomplete: [{ model, lacks: [{ dataset: null, metric: "memory", reason }] }],
        incomplete_total: 1,
      }),
    ),
  );
  renderApp("/tasks/nli/leaderboard");
  const list = await screen.findByRole("region", { name: "1 model is not ranked" });
  expect(list).toHaveTextContent("model-3 v1anonymous · ran without isolation");
  expect(list).toHaveTextContent(reason);
});

test.each([
  ["nothing to score on", makeBoard({ rows: [], datasets: [] }), "There is nothing to score"],
  ["no model", makeBoard({ rows: [] }), "No model has been scored yet."],
  [
    "one model",
    makeBoard({
      rows: [makeBoardRow(1, { dynascore: null, dynascore_interval: null, leave_one_out: null })],
      dynascore_reason: "one model has no neighbours.",
    }),
    "There is no Dynascore: one model has no neighbours.",
  ],
])("a board with %s says so", async (_, board, sentence) => {
  server.use(answer("get", BOARD, board));
  renderApp("/tasks/nli/leaderboard");
  expect(await screen.findByText(sentence, { exact: false })).toBeInTheDocument();
});

test("a board that cannot be fetched can be asked for again", async () => {
  server.use(refuse("get", BOARD, { status: 503, code: "database.unavailable" }));
  renderApp("/tasks/nli/leaderboard");
  await screen.findByRole("alert");
  server.use(answer("get", BOARD, makeBoard()));
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("table", { name: /models that have/ })).toBeInTheDocument();
});

test("people stand under the models without a rank", async () => {
  const humans = { figure: makeFigure(92, 120), reason: null, datasets: [] };
  server.use(answer("get", BOARD, makeBoard({ humans })));
  renderApp("/tasks/nli/leaderboard");
  const row = await screen.findByRole("row", { name: /People/ });
  expect(row).toHaveTextContent("92.088.0 to 96.0, n 120");
});

test("the plot has its numbers in a table", async () => {
  const points = [1, 2].map((number) => ({
    model: makeBoardModel(number),
    performance: makeFigure(70 + number),
    other: makeFigure(100 * number, null),
    is_on_front: number === 2,
  }));
  server.use(
    answer("get", "/api/v1/tasks/:slug/board-pareto", {
      performance: "accuracy",
      metric: "throughput",
      unit: "examples_per_second",
      is_lower_better: false,
      points,
      as_of: null,
    }),
  );
  renderApp("/tasks/nli/leaderboard?view=pareto");
  expect(await screen.findByRole("img", { name: /^2 models; on the front: 1/ })).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Show as table" }));
  expect(await screen.findByRole("table", { name: /another metric/ })).toBeInTheDocument();
  await expectAccessible();
});

test("who is signed in freezes a board under a name", async () => {
  const bodies: unknown[] = [];
  server.use(
    answer("get", "/api/v1/session", makeSession({ user: makeUser() })),
    http.post("*/api/v1/tasks/:slug/boards", async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ id: "0b0e7c60-0000-4000-8000-000000000777" }, { status: 201 });
    }),
  );
  const { router } = renderApp("/tasks/nli/leaderboard");
  await userEvent.click(await screen.findByRole("button", { name: "Save this board" }));
  const dialog = await screen.findByRole("dialog", { name: "Save this board" });
  await userEvent.click(within(dialog).getByRole("radio", { name: /Everything as it is now/ }));
  await userEvent.click(within(dialog).getByRole("button", { name: "Freeze the board" }));
  expect(await within(dialog).findByText("Give it a name.")).toBeInTheDocument();
  await userEvent.type(within(dialog).getByLabelText("Name"), "March");
  await userEvent.click(within(dialog).getByRole("button", { name: "Freeze the board" }));
  await waitFor(() => expect(router.state.location.pathname).toContain("/boards/0b0e7c60"));
  expect(bodies).toMatchObject([
    { kind: "snapshot", name: "March", weights: { metrics: { accuracy: 4, throughput: 1 } } },
  ]);
});

test("an embedded board stands alone", async () => {
  renderApp("/embed/tasks/nli/leaderboard");
  expect(await screen.findByRole("table")).toBeInTheDocument();
  expect(screen.queryByRole("navigation")).not.toBeInTheDocument();
});

test("an address is read with care and weights are written back", () => {
  expect(readBoardSearch({ view: "tags", budget: "-1", metrics: 3, sort: "" })).toEqual({
    view: "tags",
  });
  const weights = new Map([
    ["accuracy", 4],
    ["memory", 0],
  ]);
  expect(writeWeights(weights)).toBe("accuracy:4");
  expect(writeWeights(new Map([["accuracy", 0]]))).toBe("accuracy:0");
});

test("ranks, axes and names of a plot", () => {
  expect(writeRank({ low: 2, high: 5 }, "en")).toBe("2–5");
  expect(writeRank({ low: 7, high: 7 }, "en")).toBe("7");
  expect(rangeOf([null, makeFigure(null)])).toEqual([0, 1]);
  expect(ticks(0, 1)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  expect(scale([0, 10], [100, 0])(5)).toBe(50);
  const places = [
    [10, 10],
    [12, 11],
    [700, 10],
  ] as const;
  expect(labelled(places, (place) => place).map(({ anchor }) => anchor)).toEqual(["start", "end"]);
});
