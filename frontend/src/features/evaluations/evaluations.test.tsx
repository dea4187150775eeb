import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeModel } from "../../mocks/factories/console";
import {
  evaluationId,
  makeComparedItem,
  makeComparison,
  makeEvaluation,
  makeItem,
  makeItemPage,
  rivalId,
} from "../../mocks/factories/evaluation";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const model = "/api/v1/models/:model_id";
const evaluations = `${model}/evaluations`;
const items = "/api/v1/evaluations/:evaluation_id/items";
const page = `/tasks/nli/models/${makeModel().id}`;
const comparePage = `/tasks/nli/compare?left=${makeModel().id}&right=${rivalId}`;

beforeEach(() => {
  serveConsole();
  server.use(
    answer("get", "/api/v1/tasks/:slug/models", [
      makeModel(),
      makeModel({ id: rivalId, name: "rival", version: 2 }),
    ]),
    answer("get", model, makeModel()),
    answer("get", evaluations, [makeEvaluation()]),
    answer("get", items, makeItemPage()),
    answer("get", "/api/v1/comparisons", makeComparison()),
    answer("get", "/api/v1/comparisons/items", {
      items: [makeComparedItem()],
      next_cursor: null,
      view: "full",
    }),
  );
});

test("every figure of a model stands with its interval and what it counts", async () => {
  renderApp(page);
  const table = await screen.findByRole("table", { name: /Every dataset of the task/ });
  expect(within(table).getByRole("link", { name: "nli-round-1 v1" })).toBeInTheDocument();
  expect(table).toHaveTextContent("71.4 ± 1.2 n 1,000");
  expect(table).toHaveTextContent("91.2 ± 1.3 n 980");
  const tags = screen.getByRole("table", { name: /By tag/ });
  expect(tags).toHaveTextContent("52.0 (41.0 to 60.0) n 80");
  expect(screen.getByRole("table", { name: /Changed texts/ })).toHaveTextContent("swap letters");
  expect(screen.getByText("0.34")).toBeInTheDocument();
});

test("an evaluation that goes on can be stopped, and one that failed goes on again", async () => {
  const asked: string[] = [];
  server.use(
    answer("get", evaluations, [
      makeEvaluation({ state: "pending", is_running: true, progress: 0.42, scores: [] }),
      makeEvaluation({
        id: "0b0e7c60-0000-4000-8000-000000001002",
        dataset_name: "later",
        round_number: 2,
        state: "failed",
        reason: "It used more than 2 GiB of memory.",
        scores: [],
      }),
    ]),
    http.post(`*/api/v1/evaluations/:id/:deed`, ({ params }) => {
      asked.push(String(params.deed));
      return HttpResponse.json(makeEvaluation());
    }),
  );
  renderApp(page);
  expect(await screen.findByText("Running, 42 %")).toBeInTheDocument();
  expect(screen.getByText("It used more than 2 GiB of memory.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Go on with later" }));
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  const dialog = await screen.findByRole("dialog");
  await userEvent.click(within(dialog).getByRole("button", { name: "Stop" }));
  await waitFor(() => expect(asked).toEqual(["retry", "cancel"]));
});

test("a set without test and dev says that there is nothing to score", async () => {
  server.use(answer("get", evaluations, [makeEvaluation({ items: 0, scores: [] })]));
  renderApp(page);
  expect(await screen.findByText(/It has no test or dev items/)).toBeInTheDocument();
});

test("items are chosen by outcome, which stands in the address, and walked by key", async () => {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get(`*${items}`, ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json(makeItemPage());
    }),
  );
  const { router } = renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.click(screen.getByRole("radio", { name: "Wrong" }));
  await waitFor(() => expect(asked.at(-1)?.get("outcome")).toBe("wrong"));
  expect(router.state.location.search).toEqual({ evaluation: evaluationId, outcome: "wrong" });
  await screen.findByText("Hypothesis 1");
  const rows = within(
    screen.getByRole("list", { name: "Items with the model’s answers" }),
  ).getAllByRole("listitem");
  (document.activeElement as HTMLElement | null)?.blur();
  await userEvent.keyboard("j");
  expect(rows[0]).toHaveFocus();
  expect(rows[0]).toHaveTextContent("✗ Wrong");
  expect(rows[0]).toHaveTextContent("neutral");
});

test("gold that is kept back is kept back in words", async () => {
  server.use(
    answer(
      "get",
      items,
      makeItemPage({
        view: "answers",
        items: [makeItem(1, { gold: null, outcome: null, score: null })],
      }),
    ),
  );
  const first = renderApp(page);
  expect(await screen.findByText(/The gold of these items is kept back/)).toBeInTheDocument();
  expect(screen.queryByText("Gold")).not.toBeInTheDocument();
  first.unmount();

  server.use(refuse("get", items, { status: 403, code: "evaluations.items_withheld" }));
  renderApp(page);
  expect(
    await screen.findByText("Single answers to these items are kept back."),
  ).toBeInTheDocument();
});

test("the results say when they load, failed or are not there yet", async () => {
  server.use(stall("get", evaluations));
  const first = renderApp(page);
  await screen.findByRole("heading", { name: "Results" });
  expect(screen.getAllByText("Loading…").length).toBeGreaterThan(0);
  first.unmount();

  server.use(refuse("get", evaluations));
  const second = renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  server.use(answer("get", evaluations, []));
  renderApp(page);
  expect(await screen.findByText("Not scored on any dataset yet.")).toBeInTheDocument();
});

test("two models are compared in words, numbers and items", async () => {
  renderApp(comparePage);
  expect(
    await screen.findByText("starter v1 is better than rival v2 by 5.3 points."),
  ).toBeInTheDocument();
  expect(screen.getByText(/exact McNemar test, p = <\s0.001/)).toBeInTheDocument();
  expect(screen.getByText(/nli-round-2 v1 \(rival v2\)/)).toBeInTheDocument();
  const differing = await screen.findByRole("list", { name: "Items with both answers" });
  expect(differing).toHaveTextContent("Nobody sailed.");
  expect(differing).toHaveTextContent("✓ Right");
});

test("a lead that chance could explain is not called better", async () => {
  const comparison = makeComparison();
  const [dataset] = comparison.datasets;
  const paired = dataset?.paired;
  if (dataset === undefined || paired == null) throw new Error("the factory compares on one");
  server.use(
    answer("get", "/api/v1/comparisons", {
      ...comparison,
      datasets: [{ ...dataset, view: null, paired: { ...paired, difference: -0.4, p_value: 0.3 } }],
    }),
  );
  renderApp(comparePage);
  expect(
    await screen.findByText("rival v2 is ahead by 0.4 points, which chance could explain."),
  ).toBeInTheDocument();
  expect(screen.getByText(/Someone who submitted both models/)).toBeInTheDocument();
});

test("without two models the page asks for them", async () => {
  const { router } = renderApp("/tasks/nli/compare");
  expect(await screen.findByText("Choose two models of this task.")).toBeInTheDocument();
  await userEvent.selectOptions(screen.getByLabelText("First model"), "rival v2");
  expect(router.state.location.search).toEqual({ left: rivalId });
});

test.each(schemes)("both pages are accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  const first = renderApp(page);
  await screen.findByText("Hypothesis 1");
  await expectAccessible();
  first.unmount();
  renderApp(comparePage);
  await screen.findByText("Nobody sailed.");
  await expectAccessible();
});
