import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { renderUi, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer } from "../../mocks/wire";
import { comparesReplies } from "./metric-words";
import { PreferenceSection } from "./preference-section";

const row: Schemas["PreferenceRow"] = {
  model_id: "0b0e7c60-0000-4000-8000-000000000001",
  model_name: "careful",
  model_version: 1,
  rank: 1,
  strength: 1095.4,
  low: 1010.2,
  high: 1180.6,
  battles: 12,
  wins: 9,
  win_rate: 75,
  replies: 14,
  all_bad: 2,
  unranked: null,
  reason: null,
};
const unranked: Schemas["PreferenceRow"] = {
  ...row,
  model_id: "0b0e7c60-0000-4000-8000-000000000002",
  model_name: "newcomer",
  rank: null,
  strength: null,
  low: null,
  high: null,
  unranked: "never_lost",
  reason: "It won every comparison, so nothing says how strong it is at most.",
};

function serve(given: Partial<Schemas["PreferenceBoardRead"]>) {
  const board = { rows: [], conversations: 0, choices: 0, ties: 0, all_bad: 0, reason: null };
  server.use(answer("get", "/api/v1/tasks/:slug/preferences", { ...board, ...given }));
}

test.each(schemes)("models stand by strength with their intervals in %s", async (scheme) => {
  serve({ rows: [row, unranked], conversations: 6, choices: 14, ties: 1, all_bad: 2 });
  renderUi(<PreferenceSection slug="assistants" />, scheme);
  const table = await screen.findByRole("table");
  const [, first, second] = within(table).getAllByRole("row");
  expect(first).toHaveTextContent("1careful v11,095 (1,010 to 1,181)75 % of 12 comparisons2 of 14");
  expect(second).toHaveTextContent("–newcomer v1–");
  expect(second).toHaveTextContent("It won every comparison");
  expect(
    screen.getByText("14 choices · in 6 conversations · 1 tie · no reply was good 2 times"),
  ).toBeInTheDocument();
  await expectAccessible();
});

test("a board on which everybody is ranked needs no reasons", async () => {
  serve({ rows: [row], conversations: 1, choices: 1 });
  renderUi(<PreferenceSection slug="assistants" />);
  expect(await screen.findByText("1 choice · in 1 conversation")).toBeInTheDocument();
  expect(screen.queryByText("Why it is not ranked")).not.toBeInTheDocument();
});

test("an empty board says why", async () => {
  serve({ reason: "Nobody has handed in a conversation with a choice yet." });
  renderUi(<PreferenceSection slug="assistants" />);
  expect(await screen.findByText(/Nobody has handed in/)).toBeInTheDocument();
  expect(screen.queryByRole("table")).not.toBeInTheDocument();
  await expectAccessible();
});

test("only tasks that compare replies have a board", () => {
  expect(comparesReplies({ perf_metrics: [{ type: "bleu" }, { type: "preference" }] })).toBe(true);
  expect(comparesReplies({ perf_metrics: [{ type: "accuracy" }] })).toBe(false);
  expect(comparesReplies({})).toBe(false);
});
