import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { renderUi, schemes } from "../../mocks/render";
import { DataTable } from "./data-table";
import { Markdown } from "./markdown";
import { Timer } from "./timer";
import { TrendChart } from "./trend-chart";

const people = [
  { name: "ada", fooled: 3 },
  { name: "bo", fooled: null },
  { name: "cy", fooled: 11 },
];

function People() {
  return (
    <DataTable
      caption="Annotators"
      rows={people}
      rowKey={({ name }) => name}
      columns={[
        { key: "name", header: "Name", cell: ({ name }) => name, sortBy: ({ name }) => name },
        {
          key: "fooled",
          header: "Fooled",
          isNumber: true,
          cell: ({ fooled }) => fooled ?? "–",
          sortBy: ({ fooled }) => fooled,
        },
      ]}
    />
  );
}

const firstCells = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("cell")[0]?.textContent);

test("a header sorts, tells which way, and leaves what is missing at the end", async () => {
  renderUi(<People />);
  const header = screen.getByRole("columnheader", { name: /Fooled/ });
  await userEvent.click(within(header).getByRole("button"));
  expect(firstCells()).toEqual(["cy", "ada", "bo"]);
  expect(header).toHaveAttribute("aria-sort", "descending");
  await userEvent.click(within(header).getByRole("button"));
  expect(firstCells()).toEqual(["ada", "cy", "bo"]);
  expect(header).toHaveAttribute("aria-sort", "ascending");
});

const source = `### Rules

See [the *source*](https://example.org) <script>alert(1)</script>
![a picture](https://example.org/x.png)

| label | means |
| --- | --- |
| yes | it follows |

[bad](javascript:alert(1))`;

test("Markdown is drawn without its HTML, pictures and scripts", async () => {
  const { container } = renderUi(<Markdown topHeading={3}>{source}</Markdown>);
  expect(await screen.findByRole("heading", { level: 3, name: "Rules" })).toBeInTheDocument();
  expect(screen.getByRole("cell", { name: "it follows" })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "the source" })).toHaveAttribute(
    "rel",
    "noopener noreferrer nofollow",
  );
  expect(container.querySelector("script, img, [href^='javascript']")).toBeNull();
});

test("each block of Markdown is written in its own direction", async () => {
  const quoted = "The prompt:\n\n| says |\n| --- |\n| שלום. |\n\n- one";
  renderUi(<Markdown topHeading={3}>{quoted}</Markdown>);
  expect(await screen.findByRole("cell", { name: "שלום." })).toHaveAttribute("dir", "auto");
  expect(screen.getByText("The prompt:")).toHaveAttribute("dir", "auto");
  expect(screen.getByRole("listitem")).toHaveAttribute("dir", "auto");
});

test("the timer counts minutes and seconds", () => {
  vi.useFakeTimers({ now: 125_000 });
  renderUi(<Timer startedAt={0} />);
  expect(screen.getByRole("timer")).toHaveTextContent("2:05");
  vi.useRealTimers();
});

const rate = { value: 0.2, part: 20, whole: 100, low: 0.13, high: 0.29 };
const chart = (
  <TrendChart
    title="Error rate per round"
    axis="Round"
    series={[{ key: "mer", name: "MER" }]}
    points={[
      { label: "1", rates: { mer: rate } },
      { label: "2", rates: { mer: null } },
    ]}
  />
);

test("a chart's numbers are one click away as a table", async () => {
  renderUi(chart);
  await userEvent.click(screen.getByRole("button", { name: "Show as table" }));
  expect(screen.getByRole("cell", { name: "20\u00a0% (13 to 29)" })).toBeInTheDocument();
  expect(screen.getByRole("cell", { name: "–" })).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Show as chart" }));
  expect(screen.queryByRole("table")).not.toBeInTheDocument();
});

test.each(schemes)("tables, Markdown and charts are accessible in %s", async (scheme) => {
  renderUi(
    <main>
      <People />
      <Markdown>{source}</Markdown>
      <Timer startedAt={0} />
      {chart}
    </main>,
    scheme,
  );
  await screen.findByRole("heading", { name: "Rules" });
  await expectAccessible();
});
