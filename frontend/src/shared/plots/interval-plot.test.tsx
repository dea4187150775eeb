import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { renderUi, schemes } from "../../mocks/render";
import { IntervalPlot } from "./interval-plot";
import { rowsOf, someOf, spread, ticksBetween, valueTicks } from "./plot-rules";

const percent = (value: number) => `${Math.round(value * 100)} %`;
const point = (x: number | string, y: number | null) => ({
  x,
  y,
  low: y === null ? null : y - 0.1,
  high: y === null ? null : y + 0.1,
  label: `Round ${x}`,
});
const plot = (
  <IntervalPlot
    title="Error rate per round"
    kind="whiskers"
    xTitle="Round"
    yTitle="Rate"
    formatY={percent}
    series={[
      { name: "MER", points: [point("1", 0.4), point("2", null)] },
      { name: "vMER", points: [point("1", 0.3)] },
    ]}
    references={[{ value: 0.87, label: "People" }]}
  />
);

test("a plot's numbers are one click away as a table, what is missing among them", async () => {
  renderUi(plot);
  const figure = screen.getByRole("figure", { name: "Error rate per round" });
  expect(within(figure).getByRole("table", { hidden: true })).not.toBeVisible();
  await userEvent.click(within(figure).getByText("Show the table"));
  const rows = within(figure).getAllByRole("row");
  expect(rows.map((row) => row.textContent)).toEqual([
    "RoundSeriesRateInterval fromInterval to",
    "Round 1MER40 %30 %50 %",
    "Round 2MER–––",
    "Round 1vMER30 %20 %40 %",
  ]);
  expect(figure).toHaveTextContent("People: 87 %");
});

test("a plot of nothing says so, and has no table", () => {
  renderUi(
    <IntervalPlot
      title="Rate"
      kind="lines"
      xTitle="Day"
      yTitle="Rate"
      series={[{ name: "MER", points: [point(1, null)] }]}
      empty="Nobody has written yet."
    />,
  );
  expect(screen.getByText("Nobody has written yet.")).toBeInTheDocument();
  expect(screen.queryByText("Show the table")).not.toBeInTheDocument();
});

test.each(schemes)("a plot is accessible in %s", async (scheme) => {
  renderUi(<main>{plot}</main>, scheme);
  await userEvent.click(screen.getByText("Show the table"));
  await expectAccessible();
});

test("ticks are round, and every point, interval and reference lies between them", () => {
  expect(ticksBetween(0, 0.87)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(ticksBetween(3, 3)).toEqual([3, 4]);
  const series = [{ name: "MER", points: [point(1, 0.4), point(2, null)] }];
  const ticks = valueTicks(series, [{ value: 0.9, label: "People" }], [0, null]);
  expect([ticks[0], ticks.at(-1)]).toEqual([0, 1]);
  expect(valueTicks([], [], [null, null])).toEqual([0, 1]);
});

test("lines share their places; whiskers of one category stand beside each other", () => {
  const series = ["a", "b"].map((name) => ({ name, points: [point(5, 0.1), point(3, 0.2)] }));
  expect(rowsOf(series, true).map(({ at, points }) => [at, points.length])).toEqual([
    [3, 2],
    [5, 2],
  ]);
  const aside = rowsOf(series, false);
  expect(aside).toHaveLength(4);
  expect(new Set(aside.map(({ at }) => at)).size).toBe(4);
});

test("names are kept apart and within the plot, ticks few and evenly spaced", () => {
  const free = spread([10, 11, 100], 15, [0, 100]);
  expect(free).toEqual([10, 25, 100]);
  const crowded = spread([98, 99, 100], 15, [0, 100]);
  expect(crowded).toEqual([70, 85, 100]);
  expect(someOf([1, 2, 3, 4, 5], 3)).toEqual([1, 3, 5]);
  expect(someOf([1, 2], 3)).toEqual([1, 2]);
});
