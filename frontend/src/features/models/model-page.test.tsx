import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { serveConsole } from "../../mocks/console-wire";
import { makeModel } from "../../mocks/factories/console";
import { renderApp } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer } from "../../mocks/wire";

const model = "/api/v1/models/:model_id";
const mine = makeModel({
  name: "mine",
  is_mine: true,
  is_published: false,
  isolation: "sandbox",
  submitted_by: "ada",
});
const modelPage = `/tasks/nli/models/${mine.id}`;

function serveModel(given: Partial<Schemas["ModelRead"]>) {
  server.use(answer("get", model, { ...mine, ...given }));
}

beforeEach(() => {
  serveConsole({ role: null });
  server.use(answer("get", model, mine), answer("get", `${model}/evaluations`, []));
});

test("publishing waits for the card, and the card's form keeps what is typed", async () => {
  const patched: Schemas["ModelPatch"][] = [];
  serveModel({ status: "ready" });
  server.use(
    http.patch(`*${model}`, async ({ request }) => {
      patched.push((await request.json()) as Schemas["ModelPatch"]);
      return HttpResponse.json(mine);
    }),
  );
  renderApp(modelPage);
  expect(await screen.findByRole("button", { name: "Publish" })).toBeDisabled();
  expect(screen.getByText(/its card must say: Intended use, Training data/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Write the card" }));
  for (const label of [/^Intended use/, /^Training data/, /^Limitations/, /^Licence/]) {
    await userEvent.type(screen.getByLabelText(label), "Said.");
  }
  const card = {
    intended_use: "Said.",
    training_data: "Said.",
    limitations: "Said.",
    licence: "Said.",
    evaluation_data: "",
    ethics: "",
    contact: "",
    citation: "",
  };
  serveModel({ status: "ready", card });
  await userEvent.click(screen.getByRole("button", { name: "Save the card" }));
  await waitFor(() => expect(patched).toHaveLength(1));
  expect(patched[0]?.card).toEqual(card);
  const publish = await screen.findByRole("button", { name: "Publish" });
  await waitFor(() => expect(publish).toBeEnabled());
  await userEvent.click(publish);
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("takes its place on the board");
  await userEvent.click(within(dialog).getByRole("button", { name: "Publish" }));
  await waitFor(() => expect(patched.at(-1)).toEqual({ is_published: true }));
});

test("strangers see a published model without its deeds", async () => {
  serveModel({ is_mine: false, is_published: true, submitted_by: null, is_anonymous: true });
  renderApp(modelPage);
  expect(await screen.findByText("someone who asked for no name")).toBeInTheDocument();
  expect(screen.getByText(/Runs in a sandbox: no network/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Delete the model" })).not.toBeInTheDocument();
});

test("deleting asks once, says what is lost, and leaves the model's page", async () => {
  let isDeleted = false;
  server.use(
    http.delete(`*${model}`, () => {
      isDeleted = true;
      return new HttpResponse(null, { status: 204 });
    }),
    answer("get", "/api/v1/tasks/:slug/submission-allowance", {
      per_day: 10,
      passed: 0,
      waiting: 0,
      most_waiting: 3,
      max_bytes: 1000,
      code_refusal: null,
    }),
  );
  const { router } = renderApp(modelPage);
  await userEvent.click(await screen.findByRole("button", { name: "Delete the model" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("deleted for good");
  await userEvent.click(within(dialog).getByRole("button", { name: "Delete the model" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/tasks/nli/submit"));
  expect(isDeleted).toBe(true);
});
