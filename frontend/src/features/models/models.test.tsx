import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeHealth, makeModel } from "../../mocks/factories/console";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";
import { readNames } from "./model-form-schema";

const models = "/api/v1/tasks/:slug/models";
const page = "/tasks/nli/owner/models";

function keepAdded() {
  const added: Schemas["ModelCreate"][] = [];
  server.use(
    http.post(`*${models}`, async ({ request }) => {
      const body = (await request.json()) as Schemas["ModelCreate"];
      added.push(body);
      return HttpResponse.json(makeModel({ name: body.name }), { status: 201 });
    }),
  );
  return added;
}

beforeEach(() => serveConsole());

test("a model shows how it is doing, and answers a trial input", async () => {
  server.use(
    answer("get", "/api/v1/models/:id/health", makeHealth({ failed: 2, last_error: "Timed out." })),
    answer("post", "/api/v1/models/:id/check", {
      outputs: { label: "neutral" },
      probabilities: { neutral: 0.7, entailment: 0.2, contradiction: 0.1 },
      latency_ms: 4.2,
      error: null,
    }),
  );
  renderApp(page);
  expect(await screen.findByText(/Running · 40 answers .* 2 failed/)).toBeInTheDocument();
  expect(screen.getByText("Last failure: Timed out.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Check starter" }));
  expect(await screen.findByText("label: neutral")).toBeInTheDocument();
  expect(screen.getByText("Answered in 4.2 ms.")).toBeInTheDocument();
});

test("an endpoint is added by its address and the names of its tensors", async () => {
  const added = keepAdded();
  renderApp(page);
  await userEvent.type(await screen.findByLabelText(/^Name(?!s)/), "mine");
  await userEvent.type(screen.getByLabelText(/^Address/), "https://models.example.org/mine");
  await userEvent.type(screen.getByLabelText(/inputs on the server/), "premise: TEXT_A");
  await userEvent.click(screen.getByRole("button", { name: "Check and add" }));
  expect(await screen.findByText("mine is added.")).toBeInTheDocument();
  expect(added).toEqual([
    {
      name: "mine",
      description: "",
      kind: "endpoint",
      purpose: "target",
      options: {
        url: "https://models.example.org/mine",
        input_tensors: { premise: "TEXT_A" },
      },
      allow_private_address: false,
    },
  ]);
});

test("chat completions need a base address, a model and a prompt", async () => {
  const added = keepAdded();
  renderApp(page);
  await userEvent.type(await screen.findByLabelText(/^Name(?!s)/), "chat");
  await userEvent.selectOptions(screen.getByLabelText("How it is reached"), "openai");
  await userEvent.click(screen.getByRole("button", { name: "Check and add" }));
  expect(await screen.findAllByText("This is needed.")).toHaveLength(3);
  await userEvent.type(screen.getByLabelText(/^Base address/), "https://m.example.org/v1");
  await userEvent.type(screen.getByLabelText(/^Model(?! name|s)/), "small");
  await userEvent.type(screen.getByLabelText(/^Prompt/), "{{premise}?");
  await userEvent.type(screen.getByLabelText("Most tokens"), "5");
  await userEvent.click(screen.getByRole("button", { name: "Check and add" }));
  await waitFor(() => expect(added).toHaveLength(1));
  expect(added[0]?.options).toEqual({
    base_url: "https://m.example.org/v1",
    model: "small",
    prompt: "{premise}?",
    max_tokens: 5,
  });
});

test("a model that does not answer is refused, and what was typed stays", async () => {
  server.use(
    refuse("post", models, {
      status: 422,
      code: "models.check_failed",
      detail: "The model did not answer: connection refused.",
    }),
  );
  renderApp(page);
  const name = await screen.findByLabelText(/^Name(?!s)/);
  await userEvent.type(name, "mine");
  await userEvent.type(screen.getByLabelText(/^Address/), "https://models.example.org");
  await userEvent.click(screen.getByRole("button", { name: "Check and add" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("connection refused");
  expect(name).toHaveValue("mine");
});

test("the list says when it loads, failed or is empty", async () => {
  server.use(stall("get", models));
  const first = renderApp(page);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();

  server.use(refuse("get", models));
  const second = renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  server.use(answer("get", models, []));
  renderApp(page);
  expect(await screen.findByText("This task has no model yet.")).toBeInTheDocument();
});

test("names are read a line each", () => {
  expect(readNames("premise: TEXT_A\n\nhypothesis : B ")).toEqual({
    premise: "TEXT_A",
    hypothesis: "B",
  });
  expect(readNames("premise")).toBeNull();
});

test.each(schemes)("the page is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  renderApp(page);
  await screen.findByText(/Running · 40 answers/);
  await expectAccessible();
});
