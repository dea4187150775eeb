import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { serveConsole } from "../../mocks/console-wire";
import { makeDataset, makeRecipe } from "../../mocks/factories/console";
import { makeJob } from "../../mocks/factories/person";
import { renderApp } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer } from "../../mocks/wire";

const trainings = "/api/v1/tasks/:slug/trainings";
const splits = [{ split: "train" as const, items: 1040 }];

test("a set that comes while the page is shown can be learned from like the others", async () => {
  const first = makeDataset({ splits });
  const later = makeDataset({ id: "set-later", name: "nli-round-2", splits });
  const sent: Schemas["TrainingRequest"][] = [];
  serveConsole();
  server.use(
    answer("get", "/api/v1/tasks/:slug/recipes", [makeRecipe()]),
    answer("get", "/api/v1/tasks/:slug/datasets", [first]),
    answer("get", trainings, []),
    answer("post", "/api/v1/tasks/:slug/training-plan", {
      examples: 1040,
      items: 1040,
      parts: [],
      problem: null,
      problem_code: null,
      most_items: 2_000_000,
      has_starter_data: false,
    }),
    http.post(`*${trainings}`, async ({ request }) => {
      sent.push((await request.json()) as Schemas["TrainingRequest"]);
      return HttpResponse.json(makeJob({ name: "training.train" }), { status: 202 });
    }),
  );
  const { client } = renderApp("/tasks/nli/owner/training");
  await screen.findByRole("checkbox", { name: /nli-round-1/ });
  server.use(answer("get", "/api/v1/tasks/:slug/datasets", [later, first]));
  await act(() => client.invalidateQueries());
  expect(await screen.findByRole("checkbox", { name: /nli-round-2/ })).toBeChecked();
  expect(screen.getByRole("textbox", { name: /Weight of nli-round-2/ })).toHaveValue("× 1");
  await userEvent.type(screen.getByRole("textbox", { name: /Name of the model/ }), "next");
  await userEvent.click(screen.getByRole("button", { name: "Start training" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.sources).toContainEqual({ dataset_version_id: later.id, weight: 1 });
});
