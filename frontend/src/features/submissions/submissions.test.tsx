import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeDataset, makeModel } from "../../mocks/factories/console";
import { makeEvaluation } from "../../mocks/factories/evaluation";
import { makeSession } from "../../mocks/factories/session";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, breakOff, refuse, stall } from "../../mocks/wire";

const page = "/tasks/nli/submit";
const models = "/api/v1/tasks/:slug/models";
const model = "/api/v1/models/:model_id";
const mine = makeModel({
  name: "mine",
  is_mine: true,
  is_published: false,
  isolation: "sandbox",
  submitted_by: "ada",
});
const modelPage = `/tasks/nli/models/${mine.id}`;
const zip = new File(["PK"], "mine.zip", { type: "application/zip" });

function keepSubmitted() {
  const submitted: Schemas["SubmissionCreate"][] = [];
  server.use(
    http.post("*/api/v1/tasks/:slug/submissions", async ({ request }) => {
      submitted.push((await request.json()) as Schemas["SubmissionCreate"]);
      return HttpResponse.json({ ...mine, status: "submitted" }, { status: 201 });
    }),
  );
  return submitted;
}

function serveModel(given: Partial<Schemas["ModelRead"]>) {
  server.use(answer("get", model, { ...mine, ...given }));
}

async function chooseFile(file: File) {
  const chooser = document.querySelector<HTMLInputElement>("input[type=file]");
  if (chooser === null) throw new Error("the page has a file chooser");
  await userEvent.upload(chooser, file);
}

beforeEach(() => {
  serveConsole({ role: null });
  server.use(
    answer("get", models, [mine, makeModel({ id: "0b0e7c60-0000-4000-8000-000000000302" })]),
    answer("get", model, mine),
    answer("get", `${model}/evaluations`, []),
    answer("get", "/api/v1/tasks/:slug/submission-allowance", allowance),
  );
});

const allowance: Schemas["AllowanceRead"] = {
  per_day: 10,
  passed: 2,
  waiting: 1,
  most_waiting: 3,
  max_bytes: 2_147_483_648,
  code_refusal: null,
};

test("a handler goes out with its file, and its page opens", async () => {
  const submitted = keepSubmitted();
  server.use(answer("put", `${model}/artifact`, { ...mine, status: "checking" }, 202));
  serveModel({ status: "checking", job_id: "0b0e7c60-0000-4000-8000-000000000999" });
  const { router } = renderApp(page);
  await userEvent.type(await screen.findByLabelText(/^Name/), "mine");
  await userEvent.click(screen.getByRole("button", { name: "Submit" }));
  expect(await screen.findByText("Choose the model’s files first.")).toBeInTheDocument();
  expect(submitted).toEqual([]);
  await chooseFile(zip);
  await userEvent.click(screen.getByLabelText(/Stay anonymous/));
  await userEvent.click(screen.getByRole("button", { name: "Submit" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(modelPage));
  expect(submitted).toEqual([
    { name: "mine", description: "", kind: "handler", is_anonymous: true, options: {} },
  ]);
  expect(await screen.findByText(/Being checked. This page follows it/)).toBeInTheDocument();
});

test("files that do not arrive can be sent again, and the submission waits for them", async () => {
  keepSubmitted();
  server.use(breakOff("put", `${model}/artifact`));
  renderApp(page);
  await userEvent.type(await screen.findByLabelText(/^Name/), "mine");
  await chooseFile(zip);
  await userEvent.click(screen.getByRole("button", { name: "Submit" }));
  expect(await screen.findByRole("alert")).toBeInTheDocument();
  server.use(answer("put", `${model}/artifact`, mine, 202));
  await userEvent.click(screen.getByRole("button", { name: "Send mine.zip again" }));
  expect(await screen.findByRole("heading", { name: "mine v1" })).toBeInTheDocument();
});

test("a kind without files goes out with its options alone", async () => {
  const submitted = keepSubmitted();
  renderApp(page);
  await userEvent.type(await screen.findByLabelText(/^Name/), "boxed");
  await userEvent.click(screen.getByRole("radio", { name: /^Container/ }));
  await userEvent.click(screen.getByRole("button", { name: "Submit" }));
  expect(await screen.findByText("This is needed.")).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText(/^Image/), "registry.example.org/nli:1");
  await userEvent.click(screen.getByRole("button", { name: "Submit" }));
  await waitFor(() => expect(submitted).toHaveLength(1));
  expect(submitted[0]).toMatchObject({
    kind: "container",
    options: { image: "registry.example.org/nli:1" },
  });
});

test("a refusal stands beside its field, and what was typed stays", async () => {
  server.use(
    refuse("post", "/api/v1/tasks/:slug/submissions", {
      status: 409,
      code: "models.name_taken",
      detail: "Another person has submitted a model called “mine”. Choose another name.",
      fields: { name: "Choose another name." },
    }),
  );
  renderApp(page);
  const name = await screen.findByLabelText(/^Name/);
  await userEvent.type(name, "mine");
  await userEvent.click(screen.getByRole("radio", { name: /^Files of predictions/ }));
  await userEvent.click(screen.getByRole("button", { name: "Submit" }));
  expect(await screen.findByText(/Choose another name/)).toBeInTheDocument();
  expect(name).toHaveValue("mine");
});

test("the page lists one's own submissions alone and asks visitors to sign in", async () => {
  const first = renderApp(page);
  const table = await screen.findByRole("table", { name: /What you have submitted/ });
  expect(within(table).getAllByRole("row")).toHaveLength(2);
  expect(table).toHaveTextContent("you and the owners");
  first.unmount();

  server.use(answer("get", "/api/v1/session", makeSession({ user: null })));
  renderApp(page);
  expect(await screen.findByText("Sign in to submit a model.")).toBeInTheDocument();
});

test("what may still be submitted is told first, and a server without a sandbox takes no code", async () => {
  const refusal = "This server takes no code: bubblewrap is not installed.";
  server.use(
    answer("get", "/api/v1/tasks/:slug/submission-allowance", {
      ...allowance,
      code_refusal: refusal,
    }),
  );
  renderApp(page);
  expect(
    await screen.findByText(/You may submit 7 more models today, of 10.* 1 is on its way/),
  ).toBeInTheDocument();
  expect(screen.getByText(refusal)).toBeInTheDocument();
  expect(screen.getByRole("radio", { name: /^Code with a handler/ })).toBeDisabled();
  expect(screen.getByRole("radio", { name: /^Files of predictions/ })).toBeChecked();
});

test("the page says when it loads or failed", async () => {
  server.use(stall("get", "/api/v1/tasks/:slug"));
  const first = renderApp(page);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();
  server.use(refuse("get", "/api/v1/tasks/:slug"));
  renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
});

test("a rejected model says what is wrong, at which item and field, with the log", async () => {
  serveModel({
    status: "rejected",
    rejection: "It did not answer as the task needs.",
    problems: [{ item: "3", field: "label", problem: "“maybe” is not one of the labels." }],
  });
  server.use(answer("get", `${model}/log`, ["loading model.py", "asked 12 items"]));
  renderApp(modelPage);
  const table = await screen.findByRole("table", { name: "What the checks found" });
  expect(table).toHaveTextContent("3label“maybe” is not one of the labels.");
  expect(screen.getByRole("list", { name: "Steps of a submission" })).toHaveTextContent("Rejected");
  await userEvent.click(screen.getByRole("button", { name: "Show the log of the check" }));
  expect(await screen.findByText(/asked 12 items/)).toBeInTheDocument();
});

test("a model of predictions awaits a file for each dataset and names wrong lines", async () => {
  serveModel({ kind: "predictions", status: "submitted", isolation: "no_code" });
  const splits = [{ split: "test", items: 1200 }];
  server.use(
    answer("get", `${model}/evaluations`, [
      makeEvaluation({ state: "incomplete", reason: "It needs its file.", scores: [] }),
      makeEvaluation({
        id: "0b0e7c60-0000-4000-8000-000000001002",
        dataset_version_id: "0b0e7c60-0000-4000-8000-000000000802",
        state: "pending",
      }),
    ]),
    answer("get", "/api/v1/tasks/:slug/datasets", [
      makeDataset({ splits }),
      makeDataset({
        id: "0b0e7c60-0000-4000-8000-000000000802",
        name: "nli-round-2",
        splits,
      }),
      makeDataset({ id: "0b0e7c60-0000-4000-8000-000000000803", name: "train-only" }),
    ]),
    refuse("put", `${model}/predictions/:version_id`, {
      status: 422,
      code: "evaluations.prediction_file_invalid",
      detail: "The file has 1 problem.",
      facts: { problems: [{ line: 4, uid: "x", path: "uid", message: "There is no such item." }] },
    }),
  );
  renderApp(modelPage);
  expect(await screen.findByText("Awaited: 1,200 items to answer.")).toBeInTheDocument();
  expect(screen.getByText("Its files have not arrived yet.")).toBeInTheDocument();
  expect(screen.getByText(/^Its file is here/)).toBeInTheDocument();
  expect(screen.queryByText("train-only v1")).not.toBeInTheDocument();
  await chooseFile(new File(["{}"], "answers.jsonl"));
  const table = await screen.findByRole("table", { name: /What is wrong in the file/ });
  expect(table).toHaveTextContent("4uid: There is no such item.");
});

test.each(schemes)("the pages are accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  const first = renderApp(page);
  await screen.findByRole("table", { name: /What you have submitted/ });
  await expectAccessible();
  first.unmount();
  serveModel({ status: "submitted", queue_position: 2, job_id: mine.id });
  renderApp(modelPage);
  await screen.findByText(/number 2 in the queue/);
  await expectAccessible();
});
