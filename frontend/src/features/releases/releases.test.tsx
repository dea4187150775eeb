import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeDataset } from "../../mocks/factories/console";
import { makeJob } from "../../mocks/factories/person";
import { makeReleaseOrder, makeReleasePlan } from "../../mocks/factories/release";
import { makeRound } from "../../mocks/factories/round";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const page = "/tasks/nli/rounds/2";
const plan = "/api/v1/rounds/:round_id/release-plan";
const order = "/api/v1/rounds/:round_id/release-order";
const missing: Schemas["MissingRead"][] = [
  { code: "too_few_verified", sentence: "There are 2 verified fooling examples." },
];

function serveClosedRound(given: Partial<Schemas["ReleasePlanRead"]> = {}) {
  const sent: Schemas["ReleaseRequest"][] = [];
  serveConsole({ rounds: [makeRound({ status: "closed" })] });
  server.use(
    answer("get", plan, makeReleasePlan(given)),
    answer("get", "/api/v1/jobs/:job_id", makeJob()),
    http.post("*/api/v1/rounds/:round_id/release", async ({ request }) => {
      sent.push((await request.json()) as Schemas["ReleaseRequest"]);
      return HttpResponse.json(makeJob(), { status: 202 });
    }),
  );
  return sent;
}

async function openDialog() {
  await userEvent.click(await screen.findByRole("button", { name: "Release round 2…" }));
  return within(await screen.findByRole("dialog", { name: "Release round 2" }));
}

test("a release is looked at, asked for, and shows how far it is", async () => {
  const sent = serveClosedRound();
  renderApp(page);
  const dialog = await openDialog();
  expect(await dialog.findByRole("row", { name: /train 40/ })).toBeInTheDocument();
  expect(dialog.getByText("Left out: 12 on contexts of dev or test.")).toBeInTheDocument();
  const seed = dialog.getByLabelText("Seed");
  await userEvent.clear(seed);
  await userEvent.type(seed, "1.5");
  await userEvent.click(dialog.getByRole("button", { name: "Release it" }));
  expect(await dialog.findByText("A whole number.")).toBeInTheDocument();
  await userEvent.clear(seed);
  await userEvent.type(seed, "7");
  await userEvent.type(dialog.getByLabelText(/^Test, in per cent/), "25");
  await userEvent.selectOptions(dialog.getByLabelText(/that did not fool/), "A fifth");
  await userEvent.click(dialog.getByLabelText(/apart from earlier releases/));
  await userEvent.click(dialog.getByRole("button", { name: "Release it" }));
  expect(await screen.findByRole("progressbar", { name: "Release round 2" })).toBeInTheDocument();
  expect(sent).toEqual([
    {
      seed: 7,
      licence: "CC-BY-4.0",
      open_verdicts: "wait",
      allow_incomplete: false,
      dev_share: null,
      test_share: 0.25,
      share_of_others: 0.2,
      apart_from_earlier: false,
    },
  ]);
});

test("what is missing is said, and has to be meant", async () => {
  const sent = serveClosedRound({ missing, open_verdicts: 3, disputed: 1 });
  renderApp(page);
  const dialog = await openDialog();
  expect(await dialog.findByText(/Fewer than ten verified/)).toBeInTheDocument();
  expect(dialog.getByText(/1 disputed example goes into train/)).toBeInTheDocument();
  await userEvent.selectOptions(dialog.getByLabelText("3 examples without a verdict"), "settle");
  await userEvent.click(dialog.getByRole("button", { name: "Release it" }));
  expect(await dialog.findByText(/Tick this to release it as it is/)).toBeInTheDocument();
  expect(sent).toEqual([]);
  await userEvent.click(dialog.getByLabelText(/Release it all the same/));
  await userEvent.click(dialog.getByRole("button", { name: "Release it" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ open_verdicts: "settle", allow_incomplete: true });
});

test("a round without an example that stands has nothing to release", async () => {
  const empty = makeReleasePlan().splits.map((one) => ({ ...one, items: 0, labels: {} }));
  serveClosedRound({ missing, stored: 0, splits: empty });
  renderApp(page);
  const dialog = await openDialog();
  expect(await dialog.findByRole("status")).toHaveTextContent(/nothing to release/);
  expect(dialog.getByRole("button", { name: "Release it" })).toBeDisabled();
  expect(dialog.queryByLabelText(/Release it all the same/)).not.toBeInTheDocument();
});

test("a plan that loads or fails says so, and so does a refusal", async () => {
  serveClosedRound();
  server.use(stall("get", plan));
  const first = renderApp(page);
  const waiting = await openDialog();
  expect(waiting.getByRole("button", { name: "Release it" })).toBeDisabled();
  first.unmount();

  server.use(refuse("get", plan));
  const second = renderApp(page);
  expect(await (await openDialog()).findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  server.use(
    answer("get", plan, makeReleasePlan()),
    refuse("post", "/api/v1/rounds/:round_id/release", { status: 409, detail: "Not like this." }),
  );
  renderApp(page);
  const dialog = await openDialog();
  await dialog.findByRole("row", { name: /train 40/ });
  await userEvent.click(dialog.getByRole("button", { name: "Release it" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("Not like this.");
});

test("a released round leads to its dataset, a training on it and the next round", async () => {
  const round = makeRound({ status: "released" });
  serveConsole({ rounds: [round] });
  const made = makeDataset({ id: "set-2", round_number: round.number });
  server.use(answer("get", "/api/v1/tasks/:slug/datasets", [made]));
  renderApp(page);
  const leadsTo = async (name: string) =>
    (await screen.findByRole("link", { name })).getAttribute("href");
  expect(await leadsTo("See the dataset")).toBe("/tasks/nli/datasets/set-2");
  expect(await leadsTo("Train a model on it")).toBe("/tasks/nli/owner/training");
  expect(await leadsTo("Plan the next round")).toBe("/tasks/nli/owner/next-round");
});

test("a release that waits says for how much, and can be called off", async () => {
  serveClosedRound();
  let cancelled = 0;
  server.use(
    http.get(`*${order}`, () => HttpResponse.json(cancelled > 0 ? null : makeReleaseOrder())),
    http.delete(`*${order}`, () => {
      cancelled += 1;
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderApp(page);
  expect(
    await screen.findByText(/will be released when 12 open verdicts are in.*Licence CC0, seed 7/),
  ).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Do not release it" }));
  const dialog = await screen.findByRole("dialog", { name: "Do not release it" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Do not release it" }));
  await waitFor(() => expect(screen.queryByText(/12 open verdicts/)).not.toBeInTheDocument());
});

test.each(schemes)("the dialog is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  serveClosedRound({ missing, open_verdicts: 2 });
  renderApp(page);
  const dialog = await openDialog();
  await dialog.findByText(/Fewer than ten verified/);
  await expectAccessible();
});
