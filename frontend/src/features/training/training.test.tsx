import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test, vi } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { showLanguage } from "../../lib/i18n/languages";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { FakeEventSource } from "../../mocks/event-source";
import {
  makeDataset,
  makeFineTuning,
  makeRecipe,
  makeTraining,
} from "../../mocks/factories/console";
import { makeJob } from "../../mocks/factories/person";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const recipes = "/api/v1/tasks/:slug/recipes";
const trainings = "/api/v1/tasks/:slug/trainings";
const plan = "/api/v1/tasks/:slug/training-plan";
const page = "/tasks/nli/owner/training";

const dataset = makeDataset({
  splits: [
    { split: "train", items: 1040 },
    { split: "dev", items: 100 },
    { split: "test", items: 100 },
  ],
});
const part = {
  dataset_version_id: dataset.id,
  name: "nli-round-1",
  version: 1,
  round_number: 1,
  weight: 3,
  items: 1000,
  examples: 3000,
  left_out: 40,
};

function makePlan(given: Partial<Schemas["TrainingPlanRead"]> = {}): Schemas["TrainingPlanRead"] {
  return {
    examples: 12_340,
    items: 10_340,
    parts: [part],
    problem: null,
    problem_code: null,
    most_items: 2_000_000,
    has_starter_data: true,
    ...given,
  };
}

beforeEach(() => {
  serveConsole();
  server.use(
    answer("get", recipes, [makeRecipe(), makeFineTuning()]),
    answer("get", "/api/v1/tasks/:slug/datasets", [dataset]),
    answer("get", trainings, [makeTraining()]),
    answer("post", plan, makePlan()),
  );
});

test("a model is trained on weighted data, of which the page tells how much it is", async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(`*${trainings}`, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(makeJob({ name: "training.train" }), { status: 202 });
    }),
  );
  renderApp(page);
  await userEvent.type(await screen.findByLabelText(/Name of the model/), "third");
  expect(screen.getByRole("checkbox", { name: "nli-round-1, version 1" })).toBeChecked();
  const weight = screen.getByRole("textbox", { name: "Weight of nli-round-1, version 1" });
  await userEvent.clear(weight);
  await userEvent.type(weight, "3");
  expect(await screen.findByText("12,340 examples would be learned from")).toBeInTheDocument();
  expect(
    screen.getByText("3,000 from round 1 (1,000 items × 3) (40 items left out)"),
  ).toBeInTheDocument();
  await userEvent.click(screen.getByText(/^More:/));
  await userEvent.type(screen.getByLabelText(/Inverse regularisation/), "2");
  await userEvent.click(screen.getByLabelText(/was not verified/));
  await userEvent.click(screen.getByRole("button", { name: "Start training" }));
  expect(await screen.findByText(/has been asked for/)).toBeInTheDocument();
  expect(sent).toEqual([
    {
      name: "third",
      recipe: "text-classifier",
      options: { inverse_regularisation: "2" },
      with_starter_data: true,
      starter_weight: 1,
      sources: [{ dataset_version_id: dataset.id, weight: 3 }],
      dataset_version_ids: [],
      only_verified: true,
      only_fooling: false,
      without_controls: false,
      seed: 0,
      description: "",
    },
  ]);
});

test("what a recipe lacks greys it, and wrong fields are said beside them", async () => {
  server.use(
    answer("get", recipes, [makeRecipe(), makeFineTuning({ unavailable: null })]),
    refuse("post", trainings, {
      status: 422,
      code: "training.checkpoint_unusable",
      detail: "There is no checkpoint.",
      fields: { "options.checkpoint": "There is no checkpoint “x”." },
    }),
  );
  const first = renderApp(page);
  await userEvent.click(await screen.findByRole("button", { name: "Start training" }));
  expect(await screen.findByText("This is needed.")).toBeInTheDocument();
  const weight = screen.getByRole("textbox", { name: "Weight of starter data" });
  await userEvent.clear(weight);
  await userEvent.type(weight, "1000000000");
  await userEvent.type(screen.getByLabelText(/Name of the model/), "third");
  await userEvent.click(screen.getByRole("button", { name: "Start training" }));
  expect(await screen.findByText(/the most is 100/)).toBeInTheDocument();
  await userEvent.clear(weight);
  await userEvent.type(weight, "1");
  await userEvent.click(screen.getByRole("radio", { name: "Fine-tuned transformer" }));
  await userEvent.type(screen.getByRole("combobox", { name: /Checkpoint/ }), "x");
  await userEvent.click(screen.getByRole("button", { name: "Start training" }));
  expect(await screen.findByText("There is no checkpoint “x”.")).toBeInTheDocument();
  first.unmount();

  server.use(answer("get", recipes, [makeRecipe(), makeFineTuning()]));
  renderApp(page);
  expect(await screen.findByRole("radio", { name: "Fine-tuned transformer" })).toBeDisabled();
  expect(screen.getByText("pip install 'dynabench-platform[huggingface]'")).toBeInTheDocument();
});

test.each([
  ["en", "That is 2,000,001 items; one training takes 2,000,000 at most."],
  ["es", "Son 2.000.001 ejemplos; un entrenamiento admite 2.000.000 como máximo."],
] as const)(
  "what speaks against a plan is said in the language of the page: %s",
  async (language, said) => {
    const wrong = { problem: "Too much.", problem_code: "too_large", items: 2_000_001 } as const;
    server.use(answer("post", plan, makePlan(wrong)));
    await showLanguage(language);
    renderApp(page);
    expect(await screen.findByText(said, { exact: false })).toBeInTheDocument();
    await showLanguage("en");
  },
);

test("the server tells of the training at work, and nobody asks for it meanwhile", async () => {
  FakeEventSource.opened = [];
  vi.stubGlobal("EventSource", FakeEventSource);
  let asked = 0;
  let training = makeTraining({ state: "running", progress: 0.1 });
  server.use(
    http.get(`*${trainings}`, () => {
      asked += 1;
      return HttpResponse.json([makeTraining({ id: "2", state: "queued" }), training]);
    }),
    answer("get", `${trainings}/:training_id/log`, ["Learns from nli-round-1."]),
  );
  renderApp(page);
  await userEvent.click(
    (await screen.findAllByRole("button", { name: "Log" })).at(1) ?? document.body,
  );
  await screen.findByText(/Learns from nli-round-1/);
  const source = FakeEventSource.opened.at(-1) ?? expect.fail("nothing listens");
  expect(FakeEventSource.opened).toHaveLength(1);
  expect(source.url).toBe(`/api/v1/tasks/nli/trainings/${training.id}/live`);
  const log = ["Learns from nli-round-1.", "Fitting."];
  act(() => source.say("training", { training: { ...training, progress: 0.5 }, log }));
  expect(await screen.findByText("Running, 50 %")).toBeInTheDocument();
  expect(await screen.findByText(/Fitting/)).toBeInTheDocument();
  const before = asked;
  training = { ...training, state: "done", model_id: "m" };
  act(() => source.say("training", { training, log }));
  expect(await screen.findByRole("link", { name: "To the model" })).toBeInTheDocument();
  // What else may have changed with it is asked for once.
  await waitFor(() => expect(asked).toBe(before + 1));
});

test("a training is followed, cancelled, resumed, and leads to its model", async () => {
  const steered: string[] = [];
  server.use(
    answer("get", trainings, [
      makeTraining(),
      makeTraining({ id: "2", name: "lost", state: "failed", error: "It ran out of memory." }),
      makeTraining({ id: "3", name: "ready", state: "done", model_id: "m" }),
    ]),
    answer("get", `${trainings}/:training_id/log`, [
      "Learns from nli-round-1.",
      "Finished epoch 1.",
    ]),
    http.post(`*${trainings}/:id/:deed`, ({ params }) => {
      steered.push(String(params.deed));
      return HttpResponse.json(makeTraining());
    }),
  );
  renderApp(page);
  expect(
    await screen.findByRole("progressbar", { name: "Training of second" }),
  ).toBeInTheDocument();
  expect(screen.getByText("It ran out of memory.")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "To the model" })).toHaveAttribute(
    "href",
    "/tasks/nli/models/m",
  );
  await userEvent.click(screen.getAllByRole("button", { name: "Log" }).at(0) ?? document.body);
  expect(await screen.findByText(/Finished epoch 1/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Resume training" }));
  await userEvent.click(screen.getByRole("button", { name: "Cancel training" }));
  const dialog = await screen.findByRole("dialog", { name: "Cancel training" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Cancel training" }));
  await waitFor(() => expect(steered).toEqual(["resume", "cancel"]));
});

test("the page says when it loads, failed, has no recipe or no training", async () => {
  server.use(stall("get", recipes));
  const first = renderApp(page);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();

  server.use(refuse("get", recipes));
  const second = renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  server.use(answer("get", trainings, []), answer("get", recipes, []));
  renderApp(page);
  expect(await screen.findByText(/Nothing has been trained/)).toBeInTheDocument();
  expect(await screen.findByText("No recipe fits this task.")).toBeInTheDocument();
});

test.each(schemes)("the page is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  renderApp(page);
  await screen.findByRole("checkbox", { name: "nli-round-1, version 1" });
  await screen.findByText(/12,340 examples/);
  await expectAccessible();
});
