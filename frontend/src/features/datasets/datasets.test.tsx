import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { archive, item, report, transforms, variants, weather } from "../../mocks/dataset-wire";
import { makeJob } from "../../mocks/factories/person";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const list = "/api/v1/tasks/:slug/datasets";
const page = "/tasks/nli/owner/datasets";

/** Take a file and an order, do the job at once, and keep what was ordered. */
function keepOrders(found: Partial<Schemas["DatasetImportRead"]> = {}) {
  const orders: unknown[] = [];
  server.use(
    answer("post", "/api/v1/tasks/:slug/dataset-files", { digest: "f".repeat(64), size_bytes: 9 }),
    http.post(`*${list}`, async ({ request }) => {
      orders.push(await request.json());
      return HttpResponse.json(makeJob({ id: "job-1", state: "queued" }), { status: 202 });
    }),
    answer("get", "/api/v1/jobs/:job_id", makeJob({ id: "job-1", state: "done" })),
    answer("get", "/api/v1/dataset-imports/:job_id", { ...report, ...found }),
  );
  return orders;
}

async function choose(name: string) {
  const part = await screen.findByRole("region", { name: "Upload a dataset" });
  const input = part.querySelector<HTMLInputElement>('input[type="file"]');
  if (input === null) throw new Error("There is no file input.");
  await userEvent.upload(input, new File(["{}"], name, { type: "" }));
}

beforeEach(() => {
  serveConsole();
  server.use(
    answer("get", list, [variants, weather]),
    answer("get", "/api/v1/dataset-versions/:version_id/archive/state", archive),
    answer("get", "/api/v1/dataset-versions/:version_id/items", [item]),
    answer("get", "/api/v1/tasks/:slug/transforms", transforms),
  );
});

test("a file is sent once, checked and then stored", async () => {
  const orders = keepOrders({ state: "checked" });
  renderApp(page);
  await choose("mine.csv");
  expect(screen.getByLabelText(/^Name/)).toHaveValue("mine");
  await userEvent.click(screen.getByRole("button", { name: "Only check" }));
  expect(await screen.findByText(/^Nothing is wrong: 3 items/)).toBeInTheDocument();
  keepOrders();
  await userEvent.type(screen.getByLabelText("Columns with other names"), "s1 = premise");
  await userEvent.click(screen.getByRole("button", { name: "Upload" }));
  expect(await screen.findByText(/^Mine v2 is stored with 3 items/)).toBeInTheDocument();
  expect(screen.getByText(/^1 row said the same as one before/)).toBeInTheDocument();
  expect(orders).toMatchObject([
    { name: "mine", row_format: "csv", check_only: true, file: "f".repeat(64) },
  ]);
});

test("every problem of a refused file stands in a table", async () => {
  keepOrders({
    state: "refused",
    problems: [{ line: 7, field: "label", message: "It must be one of these." }],
    more_problems: 40,
  });
  renderApp(page);
  await choose("mine.jsonl");
  await userEvent.click(screen.getByRole("button", { name: "Upload" }));
  const table = await screen.findByRole("table", { name: "What is wrong in the file" });
  expect(within(table).getByRole("row", { name: /7 label It must be/ })).toBeInTheDocument();
  expect(screen.getByRole("alert")).toHaveTextContent("41 problems, so nothing was stored.");
  expect(screen.getByText("And 40 more.")).toBeInTheDocument();
});

test("a form that is wrong sends nothing and says where", async () => {
  const orders = keepOrders();
  renderApp(page);
  await userEvent.click(await screen.findByRole("button", { name: "Upload" }));
  expect(await screen.findByText("Fill this in.")).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText(/^Name/), "Mine");
  await userEvent.click(screen.getByRole("button", { name: "Upload" }));
  expect(await screen.findByText("Choose a file first.")).toBeInTheDocument();
  expect(orders).toEqual([]);
});

test("a job that failed says why", async () => {
  keepOrders();
  const failed = makeJob({ id: "job-1", state: "failed", error: "The disk is full." });
  server.use(answer("get", "/api/v1/jobs/:job_id", failed));
  renderApp(page);
  await choose("mine.jsonl");
  await userEvent.click(screen.getByRole("button", { name: "Upload" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("The disk is full.");
});

test("the list holds sets and not what varies them, and can be searched", async () => {
  renderApp(page);
  const table = await screen.findByRole("table", { name: /newest version/ });
  expect(within(table).getAllByRole("row")).toHaveLength(2);
  expect(
    within(table).getByRole("row", { name: /Weather v1 Upload On the board 1,200/ }),
  ).toBeVisible();
  await userEvent.type(screen.getByLabelText("Search in names and tags"), "snow");
  expect(screen.getByText("No dataset has this in its name or tags.")).toBeInTheDocument();
});

test("a set shows its items with every acceptable answer, and is changed", async () => {
  const changes: unknown[] = [];
  server.use(
    http.patch("*/api/v1/dataset-versions/:version_id", async ({ request }) => {
      changes.push(await request.json());
      return HttpResponse.json(weather);
    }),
  );
  renderApp(page);
  await userEvent.click(await screen.findByRole("link", { name: "Weather v1" }));
  expect(await screen.findByText("Right answer: entailment / neutral")).toBeInTheDocument();
  const settings = screen.getByRole("region", { name: "Settings" });
  await userEvent.selectOptions(within(settings).getByLabelText("Who sees what"), "hidden");
  await userEvent.click(within(settings).getByRole("button", { name: "Save settings" }));
  expect(await within(settings).findByText("Saved.")).toBeInTheDocument();
  expect(changes).toMatchObject([{ access: "hidden", tags: ["rain"], licence: "CC-BY-4.0" }]);
});

test("variants stand below their originals with the changed words marked", async () => {
  server.use(
    answer("get", "/api/v1/dataset-versions/:version_id/variants", [
      {
        uid: "a:contractions",
        original_uid: "a",
        split: "test",
        transform: "contractions",
        texts: [{ field: "hypothesis", original: "It is wet.", variant: "It's wet." }],
      },
    ]),
  );
  renderApp(`${page}?dataset=set-1`);
  const set = await screen.findByRole("region", { name: "Weather (robustness) v1" });
  expect(
    within(set).getByRole("row", { name: /contractions 25.% , 1 of 4|contractions 25.%, 1 of 4/ }),
  ).toBeVisible();
  await userEvent.selectOptions(
    within(set).getByLabelText("Show what a transform made"),
    "contractions",
  );
  const shown = await within(set).findByRole("list", { name: "Variants of contractions" });
  expect([...shown.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
    "It is",
    "It's",
  ]);
});

test("variants are made anew with other transforms, and dropped after one question", async () => {
  const asked: unknown[] = [];
  const dropped: unknown[] = [];
  keepOrders();
  server.use(
    http.post("*/api/v1/dataset-versions/:version_id/perturbations", async ({ request }) => {
      asked.push(await request.json());
      return HttpResponse.json(makeJob({ id: "job-1", state: "queued" }), { status: 202 });
    }),
    answer("get", "/api/v1/perturbations/:job_id", {
      ...report,
      name: "Weather (robustness)",
      perturbation: null,
    }),
    http.delete("*/api/v1/dataset-versions/:version_id", ({ params }) => {
      dropped.push(params.version_id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderApp(`${page}?dataset=set-1`);
  await userEvent.click(await screen.findByRole("checkbox", { name: "emphasis" }));
  await userEvent.clear(screen.getByLabelText("Seed"));
  await userEvent.type(screen.getByLabelText("Seed"), "9");
  await userEvent.click(screen.getByRole("button", { name: "Make variants" }));
  expect(await screen.findByText("Weather (robustness) v2 holds 3 variants.")).toBeInTheDocument();
  expect(asked).toMatchObject([
    { kind: "robustness", seed: 9, transforms: ["upper_case", "emphasis"], file: null },
  ]);
  const name = "Drop Weather (robustness) v1";
  await userEvent.click(screen.getByRole("button", { name }));
  const dialog = await screen.findByRole("dialog", { name });
  await userEvent.click(within(dialog).getByRole("button", { name }));
  await waitFor(() => expect(dropped).toEqual(["set-2"]));
});

test("an upload is deleted after one question", async () => {
  const deleted: unknown[] = [];
  server.use(
    http.delete("*/api/v1/dataset-versions/:version_id", ({ params }) => {
      deleted.push(params.version_id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderApp(`${page}?dataset=set-1`);
  const name = "Delete Weather v1";
  await userEvent.click(await screen.findByRole("button", { name }));
  const dialog = await screen.findByRole("dialog", { name });
  expect(dialog).toHaveTextContent("Snapshots keep what they froze.");
  await userEvent.click(within(dialog).getByRole("button", { name }));
  await waitFor(() => expect(deleted).toEqual(["set-1"]));
});

test("the list says when it loads, failed or is empty", async () => {
  server.use(stall("get", list));
  const first = renderApp(page);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();
  server.use(refuse("get", list));
  const second = renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();
  server.use(answer("get", list, []));
  renderApp(page);
  expect(await screen.findByText("This task has no datasets yet.")).toBeInTheDocument();
});

test.each(schemes)("the page is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  renderApp(`${page}?dataset=set-1`);
  await screen.findByText("Right answer: entailment / neutral");
  await screen.findByRole("checkbox", { name: "emphasis" });
  await expectAccessible();
});
