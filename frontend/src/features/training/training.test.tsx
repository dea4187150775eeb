import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeDataset, makeRecipe } from "../../mocks/factories/console";
import { makeJob } from "../../mocks/factories/person";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const recipes = "/api/v1/tasks/:slug/recipes";
const trainings = "/api/v1/tasks/:slug/trainings";
const page = "/tasks/nli/owner/data";

beforeEach(() => {
  serveConsole();
  server.use(
    answer("get", recipes, [makeRecipe()]),
    answer("get", "/api/v1/tasks/:slug/datasets", [makeDataset()]),
    answer("get", "/api/v1/jobs", [makeJob({ name: "datasets.release", state: "done" })]),
    answer("get", "/api/v1/jobs/:job_id", makeJob({ name: "training.train", message: "Learning" })),
  );
});

test("the next model is trained on starter data and releases, with its progress", async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(`*${trainings}`, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(makeJob({ name: "training.train" }), { status: 202 });
    }),
  );
  renderApp(page);
  await userEvent.type(await screen.findByLabelText(/Name of the model/), "second");
  expect(screen.getByLabelText("nli-round-1, version 1")).toBeChecked();
  await userEvent.click(screen.getByRole("button", { name: "Start training" }));
  const progress = await screen.findByRole("progressbar", { name: "Training of second" });
  expect(progress).toBeInTheDocument();
  expect(sent).toEqual([
    {
      name: "second",
      recipe: "text-classifier",
      with_starter_data: true,
      dataset_version_ids: [makeDataset().id],
      seed: 0,
      description: "",
    },
  ]);
});

test("a training that cannot be is refused with its reason, and a name is needed", async () => {
  server.use(
    refuse("post", trainings, {
      status: 422,
      code: "training.no_data",
      detail: "A model cannot be trained on this: there is a single answer.",
    }),
  );
  renderApp(page);
  await userEvent.click(await screen.findByRole("button", { name: "Start training" }));
  expect(await screen.findByText("This is needed.")).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText(/Name of the model/), "second");
  await userEvent.click(screen.getByRole("button", { name: "Start training" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("there is a single answer");
});

test("jobs that were lately asked for stand in a list; one can be cancelled", async () => {
  let cancelled = 0;
  server.use(
    answer("get", "/api/v1/jobs", [
      makeJob({ id: "1", name: "datasets.release", state: "failed", error: "No disk." }),
      makeJob({ id: "2", name: "training.train" }),
    ]),
    http.post("*/api/v1/jobs/:job_id/cancel", () => {
      cancelled += 1;
      return HttpResponse.json(makeJob({ state: "cancelled" }));
    }),
  );
  renderApp(page);
  expect(await screen.findByText("Release of a round")).toBeInTheDocument();
  expect(screen.getByText("No disk.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Cancel job" }));
  const dialog = await screen.findByRole("dialog", { name: "Cancel job" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Cancel job" }));
  await waitFor(() => expect(cancelled).toBe(1));
});

test("the page says when it loads, failed or has no job", async () => {
  server.use(stall("get", recipes));
  const first = renderApp(page);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();

  server.use(refuse("get", recipes));
  const second = renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  server.use(answer("get", "/api/v1/jobs", []), answer("get", recipes, [makeRecipe()]));
  renderApp(page);
  expect(await screen.findByText("No job of yours is running or was lately.")).toBeInTheDocument();
});

test.each(schemes)("the page is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  renderApp(page);
  await screen.findByLabelText("nli-round-1, version 1");
  await screen.findByText("Release of a round");
  await expectAccessible();
});
