import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { renderUi } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer } from "../../mocks/wire";
import { ScoreSection } from "./score-section";

const score: Schemas["ScoreRead"] = {
  model_id: "0b0e7c60-0000-4000-8000-000000000001",
  model_name: "listener",
  model_version: 2,
  dataset_version_id: "0b0e7c60-0000-4000-8000-000000000003",
  dataset_name: "R1",
  round_number: 1,
  split: "test",
  metric: "wer",
  is_principal: true,
  value: 130.5,
  low: 90,
  high: 170,
  items: 40,
  failed_items: 0,
  evaluated_at: "2026-01-05T09:00:00Z",
};

function serve(...scores: Schemas["ScoreRead"][]) {
  server.use(answer("get", "/api/v1/tasks/:slug/scores", scores));
}

test("one metric is named above the table", async () => {
  serve(score, { ...score, split: "dev", value: 1 });
  renderUi(<ScoreSection slug="listening" />);
  expect(await screen.findByText(/Word error rate \(lower is better\), of 100/)).toBeVisible();
  const table = screen.getByRole("table");
  expect(within(table).getByRole("columnheader", { name: /^R1/ })).toBeVisible();
  expect(table).toHaveTextContent("listener v2130.5 (90.0 to 170.0), n 40");
});

test("of several metrics each has its column, the principal one first", async () => {
  const matching = { ...score, metric: "exact_match", is_principal: false, value: null };
  serve(matching, score, { ...score, metric: "my_metric", is_principal: false, value: 3 });
  renderUi(<ScoreSection slug="listening" />);
  const table = await screen.findByRole("table");
  const headers = within(table).getAllByRole("columnheader");
  expect(headers.map((one) => one.textContent.replace(" ↕", ""))).toEqual([
    "Model",
    "R1: Word error rate (lower is better)",
    "R1: Exact match",
    "R1: my metric",
  ]);
  expect(table).toHaveTextContent("n 40–3.0 (");
});
