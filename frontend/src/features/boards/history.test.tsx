import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { makeBoard, makeHistory } from "../../mocks/factories/board";
import { makeTask } from "../../mocks/factories/task";
import { renderApp } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer } from "../../mocks/wire";
import { drawnOf, withDrawn } from "./history-rules";

const HISTORY = "/api/v1/tasks/:slug/history";

beforeEach(() => {
  server.use(
    answer("get", "/api/v1/tasks/:slug", makeTask()),
    answer("get", "/api/v1/tasks/:slug/boards", []),
    answer("get", "/api/v1/tasks/:slug/board", makeBoard()),
  );
});

test("rounds and static sets stand apart, and a round's target is marked in it", async () => {
  server.use(answer("get", HISTORY, makeHistory()));
  renderApp("/tasks/nli/leaderboard?view=rounds");
  const table = await screen.findByRole("table", { name: /^Accuracy on test items/ });
  expect(within(table).getByRole("columnheader", { name: "Rounds" })).toHaveAttribute(
    "colspan",
    "2",
  );
  const target = within(table).getByRole("row", { name: /model-1/ });
  const [, second, old] = within(target).getAllByRole("cell");
  expect(second).toHaveTextContent("12.08.0 to 16.0, n 400target of this round");
  expect(old).toHaveTextContent("needs its file");
  expect(within(table).getByRole("row", { name: /^People (?!minus)/ })).toHaveTextContent("91.0");
  expect(screen.getByText(/biased against it/)).toBeVisible();
  await expectAccessible();
});

test("of many models the first are shown, and all of them on one click", async () => {
  const { rows } = makeHistory();
  const [first] = rows;
  if (first === undefined) throw new Error("The history has rows.");
  const many = Array.from({ length: 15 }, (_, place) => ({
    ...first,
    model: {
      ...first.model,
      id: `${first.model.id.slice(0, -3)}9${String(place).padStart(2, "0")}`,
    },
  }));
  server.use(answer("get", HISTORY, makeHistory({ rows: many, models: 240 })));
  renderApp("/tasks/nli/leaderboard?view=rounds");
  const more = await screen.findByRole("button", { name: "Show all 15 models" });
  expect(screen.getAllByRole("rowheader")).toHaveLength(12 + 2);
  await userEvent.click(more);
  expect(screen.getAllByRole("rowheader")).toHaveLength(15 + 2);
  expect(screen.getByText("Of 240 models the first 15 are shown.")).toBeVisible();
});

test("without a release the table says what opens it", async () => {
  server.use(
    answer("get", HISTORY, makeHistory({ columns: [], rows: [], records: [], models: 0 })),
  );
  renderApp("/tasks/nli/leaderboard?view=rounds");
  expect(await screen.findByText(/The first release will open this table/)).toBeVisible();
});

/** Seven released rounds, the sixth without a score, and three static sets. */
function makeLongHistory() {
  const history = makeHistory();
  const [round, , fixed] = history.columns;
  if (round === undefined || fixed === undefined) throw new Error("The history has columns.");
  const columns = [
    ...Array.from({ length: 7 }, (_, place) => ({
      ...round,
      version_id: `round-${place + 1}`,
      round_number: place + 1,
    })),
    ...["little", "much", "most"].map((name) => ({ ...fixed, version_id: name, name })),
  ];
  const records = columns.map((_, place) => (place === 5 ? [] : (history.records[0] ?? [])));
  const scored = [0, 0, 0, 0, 0, 0, 0, 1, 2, 3];
  const rows = history.rows
    .flatMap((row) => [row, row])
    .map((row, number) => ({
      ...row,
      model: { ...row.model, id: `${row.model.id}-${number}` },
      cells: scored.map((count) => ({
        state: "done" as const,
        figure: number < count ? (row.cells[0]?.figure ?? null) : null,
      })),
    }));
  return { ...history, columns, records, rows };
}

test("the first round, the last two and the best-known sets are drawn", () => {
  const history = makeLongHistory();
  const usual = drawnOf(history, undefined);
  expect(usual.map(({ key }) => key)).toEqual(["1", "5", "7", "much", "most"]);
  expect(drawnOf(history, "2,nonsense,little").map(({ key }) => key)).toEqual(["2", "little"]);
  expect(drawnOf(history, "none")).toEqual([]);
  expect(withDrawn(history, usual, "2")).toBe("1,2,5,7,much,most");
  expect(withDrawn(history, drawnOf(history, "2"), "2")).toBe("none");
  expect(withDrawn(history, drawnOf(history, "5,7,much,most"), "1")).toBeUndefined();
});

test("a reader chooses the lines, which stand in the address, and comes back to the usual ones", async () => {
  server.use(answer("get", HISTORY, makeLongHistory()));
  const { router } = renderApp("/tasks/nli/leaderboard?view=rounds");
  const lines = within(await screen.findByRole("group", { name: "Lines" }));
  expect(lines.getByText("5 of 9 are drawn.")).toBeVisible();
  lines.getByRole("checkbox", { name: "Round 2" }).focus();
  await userEvent.keyboard(" ");
  expect(lines.getByRole("checkbox", { name: "Round 2" })).toBeChecked();
  expect(router.state.location.search).toMatchObject({ drawn: "1,2,5,7,much,most" });
  await userEvent.click(lines.getByRole("checkbox", { name: "Round 3" }));
  await userEvent.click(lines.getByRole("checkbox", { name: "Round 4" }));
  expect(lines.getByRole("checkbox", { name: "little" })).toBeDisabled();
  expect(lines.getByText(/More than 8 lines cannot be told apart/)).toBeVisible();
  await expectAccessible();
  await userEvent.click(lines.getByRole("button", { name: "Back to the usual lines" }));
  expect(lines.getByRole("checkbox", { name: "Round 2" })).not.toBeChecked();
  expect(router.state.location.search).toEqual({ view: "rounds" });
});

test("the address says which lines are drawn, be it one or none", async () => {
  server.use(answer("get", HISTORY, makeLongHistory()));
  renderApp("/tasks/nli/leaderboard?view=rounds&drawn=2");
  const lines = within(await screen.findByRole("group", { name: "Lines" }));
  expect(lines.getByRole("checkbox", { name: "Round 2" })).toBeChecked();
  await userEvent.click(lines.getByRole("checkbox", { name: "Round 2" }));
  expect(screen.getByText("No line is chosen. Choose some below.")).toBeVisible();
});
