import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { archive, weather } from "../../mocks/dataset-wire";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const version = "/api/v1/dataset-versions/:version_id";
const state = `${version}/archive/state`;
const page = "/tasks/nli/datasets/set-1";

function serveState(told: Partial<Schemas["ArchiveRead"]>) {
  const nothing = { digest: null, size_bytes: null, files: [] };
  server.use(answer("get", state, { ...archive, ...nothing, ...told }));
}

beforeEach(() => {
  serveConsole({ role: null });
  server.use(answer("get", version, weather), answer("get", state, archive));
});

test("a visitor downloads a dataset and sees what is inside", async () => {
  renderApp(page);
  const link = await screen.findByRole("link", { name: /^Download \(zip, 12 MB\)$/ });
  expect(link).toHaveAttribute("href", "/api/v1/dataset-versions/set-1/archive");
  expect(link).toHaveAttribute("download", "nli-weather-v1.zip");
  await userEvent.click(screen.getByText("What is inside: 2 files"));
  const table = screen.getByRole("table", { name: "Files in nli-weather-v1.zip" });
  expect(
    within(table).getByRole("row", { name: /data\/test.parquet 1,200 900 kB a+/ }),
  ).toBeVisible();
  expect(screen.getByText(/are withheld from downloads/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Open the test answers" })).not.toBeInTheDocument();
});

test.each(schemes)("the page is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  renderApp(page);
  await userEvent.click(await screen.findByText("What is inside: 2 files"));
  await expectAccessible();
});

test("a file that is being made tells how far it is", async () => {
  serveState({ state: "making", progress: 0.4, job_id: "job-1" });
  renderApp(page);
  expect(await screen.findByText(/^The file is being made: 40/)).toHaveAttribute("role", "status");
});

test("a file that failed says why and can be asked for again", async () => {
  serveState({ state: "failed", error: "The disk is full." });
  server.use(
    http.post(`*${version}/archive`, () =>
      HttpResponse.json({ ...archive, state: "making", progress: 0 }, { status: 202 }),
    ),
  );
  renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("The disk is full.");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText(/^The file is being made/)).toBeInTheDocument();
});

test("an owner opens the answers of test after being asked once", async () => {
  serveConsole();
  renderApp(page);
  await userEvent.click(await screen.findByRole("button", { name: "Open the test answers" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("Nothing takes this back.");
  const opened = { ...weather, test_opened_at: "2026-03-01T09:00:00Z" };
  server.use(answer("post", `${version}/open-test`, opened), answer("get", version, opened));
  await userEvent.click(within(dialog).getByRole("button", { name: "Open the test answers" }));
  expect(await screen.findByText(/given out since Mar 1, 2026/)).toHaveTextContent(
    "less trustworthy",
  );
});

test("a page that waits says so, and one that is not there says so too", async () => {
  server.use(stall("get", version));
  const { unmount } = renderApp(page);
  expect((await screen.findAllByText("Loading…")).length).toBeGreaterThan(0);
  unmount();
  server.use(refuse("get", version, { status: 404 }));
  renderApp(page);
  expect(await screen.findByRole("alert")).toBeInTheDocument();
});
