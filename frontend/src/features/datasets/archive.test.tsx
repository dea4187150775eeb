import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { archive, item, weather } from "../../mocks/dataset-wire";
import { makeDataset } from "../../mocks/factories/console";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const version = "/api/v1/dataset-versions/:version_id";
const state = `${version}/archive/state`;
const errata = `${version}/errata`;
const page = "/tasks/nli/datasets/set-1";

function serveState(told: Partial<Schemas["ArchiveRead"]>) {
  const nothing = { digest: null, size_bytes: null, files: [] };
  server.use(answer("get", state, { ...archive, ...nothing, ...told }));
}

beforeEach(() => {
  serveConsole({ role: null });
  server.use(answer("get", version, weather), answer("get", state, archive));
  server.use(answer("get", errata, { items: [], wrong: 0, right: 0 }));
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

const rate = { value: 0.25, part: 10, whole: 40, low: 0.15, high: 0.35 };
const release = makeDataset({
  id: "set-1",
  splits: [
    { split: "train", items: 44 },
    { split: "test", items: 2 },
  ],
  card: {
    stored: 54,
    splits: {
      train: {
        items: 44,
        fooling: 21,
        verified: 21,
        contexts: 37,
        annotators: 5,
        labels: { a: 44 },
      },
      test: { items: 2, fooling: 2, verified: 2, contexts: 2, annotators: 2, labels: null },
    },
    excluded: { incorrect: 2, flagged: 0 },
    error_rate: { model_error_rate: rate, validated_model_error_rate: rate },
    agreement: { krippendorff_alpha: 0.38, unanimous: rate },
    annotators: 6,
    concentration: { top_share: 0.29 },
    test_only_annotators: { annotators: 1, items: 1, of_items: 2 },
    seconds_per_validated_fooling: { mean: 116.2, median: 56.4 },
    artifacts: { input_only_accuracy: null, majority_accuracy: null },
    targets: [{ name: "retrained", version: 1 }],
    seed: 0,
    canary: "canary 7",
    missing: [],
    notes: ["No item of test has the gold label b."],
    earlier_errata: {
      looked_at: 3,
      wrong: 1,
      items: [{ release: "Round 1", version: 1, split: "test", uid: "ab12", experts: "wrong" }],
    },
    content_warning: "Slurs.",
  },
});

test.each(schemes)("a release tells its card and its errata in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  server.use(
    answer("get", version, release),
    answer("get", errata, {
      items: [
        { item: { ...item, gold: null }, finding: "wrong", found_at: "2026-03-04T09:00:00Z" },
      ],
      wrong: 2,
      right: 1,
      withheld: 1,
    }),
  );
  renderApp(page);
  const splits = await screen.findByRole("table", { name: /^Items by split, of 54 attempts/ });
  expect(within(splits).getByRole("row", { name: /train 44 21 21 37 5 a 44/ })).toBeVisible();
  expect(within(splits).getByRole("row", { name: /test 2 .* kept back/ })).toBeVisible();
  expect(screen.getByText("Left out: 2 found incorrect.")).toBeVisible();
  expect(
    screen.getByText(
      "6 people; the busiest wrote 29 %; 1 of them writes for test alone (1 of its 2 items)",
    ),
  ).toBeVisible();
  expect(screen.getByText("No item of test has the gold label b.")).toBeVisible();
  expect(screen.getByRole("row", { name: /Round 1 v1 test ab12/ })).toBeVisible();
  expect(screen.queryByText("Right without the context")).not.toBeInTheDocument();
  const found = within(await screen.findByRole("region", { name: "Errata" }));
  expect(found.getByText("Experts looked at 3 suspected answers and found 2 wrong.")).toBeVisible();
  expect(
    found.getByText("1 of them is named once its answers are no longer withheld."),
  ).toBeVisible();
  expect(found.getByText("It is wet.")).toBeVisible();
  await expectAccessible();
});
