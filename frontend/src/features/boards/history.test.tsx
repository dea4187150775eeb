import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { makeBoard, makeHistory } from "../../mocks/factories/board";
import { makeTask } from "../../mocks/factories/task";
import { renderApp } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer } from "../../mocks/wire";
import { saturationOf } from "./history-rules";

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

test("the latest rounds and the first static sets are drawn", () => {
  const history = makeHistory();
  const [round, , fixed] = history.columns;
  if (round === undefined || fixed === undefined) throw new Error("The history has columns.");
  const columns = [
    ...Array.from({ length: 6 }, () => round),
    ...Array.from({ length: 3 }, () => fixed),
  ];
  const records = columns.map((_, place) => (place === 5 ? [] : (history.records[0] ?? [])));
  const { drawn, isSome } = saturationOf({ ...history, columns, records });
  expect(drawn.map(({ column }) => column.kind)).toEqual([
    ...Array<string>(4).fill("round"),
    ...Array<string>(2).fill("static"),
  ]);
  expect(isSome).toBe(true);
  expect(saturationOf(history).isSome).toBe(false);
});
