import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeModel } from "../../mocks/factories/console";
import { makeErrorRate, makeRound } from "../../mocks/factories/round";
import { makeTask } from "../../mocks/factories/task";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const rounds = "/api/v1/tasks/:slug/rounds";
const page = "/tasks/nli/rounds/2";
const console_ = "/tasks/nli/owner";

beforeEach(() => serveConsole());

test("the round page shows rates with their counts, days, people and what is fixed", async () => {
  renderApp(page);
  expect(await screen.findByText("6 of 40", { exact: false })).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "bea" })).toHaveAttribute("href", "/users/bea");
  expect(screen.getByText("0.62")).toBeInTheDocument();
  expect(screen.getByLabelText(/30 collected, 8 fooled, 5 verified/)).toBeInTheDocument();
  expect(
    screen.getByText("3 votes that agree, of at most 5", { exact: false }),
  ).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Show as table" }));
  expect(screen.getByRole("table", { name: "Examples per day" })).toBeInTheDocument();
});

test("where people are not known none is counted, and the page says why", async () => {
  const reason = "The authors are pseudonyms of a replay, so nothing is counted over people.";
  const provenance = {
    format: "anli",
    title: "Adversarial NLI",
    source: "Nie et al. 2020",
    licence: "CC-BY-NC-4.0",
    replayed_at: "2030-01-15T12:00:00Z",
  };
  server.use(
    answer("get", rounds, [makeRound({ provenance })]),
    answer(
      "get",
      "/api/v1/rounds/:round_id/error-rate",
      makeErrorRate({
        annotators: null,
        macro_model_error_rate: null,
        macro_validated_model_error_rate: null,
        reason,
      }),
    ),
    answer("get", "/api/v1/rounds/:round_id/annotators", { rows: [], reason }),
  );
  renderApp(page);
  expect(await screen.findAllByText(reason)).toHaveLength(2);
  expect(screen.getByText("Adversarial NLI: Nie et al. 2020 (CC-BY-NC-4.0)")).toBeInTheDocument();
  expect(screen.queryByText(/averaged over/i)).not.toBeInTheDocument();
});

test("owners see backlog, disputes, budget and targets; others do not", async () => {
  const first = renderApp(page);
  const panel = await screen.findByRole("region", { name: "For owners" });
  expect(await within(panel).findByText("wait for a verdict")).toBeInTheDocument();
  expect(within(panel).getByRole("link", { name: "Decide them" })).toHaveAttribute(
    "href",
    "/tasks/nli/owner/examples?round=2&verdict=disputed",
  );
  expect(within(panel).getByText("40 of 100 examples")).toBeInTheDocument();
  expect(await within(panel).findByText(/Running · 40 answers · median 3 ms/)).toBeInTheDocument();
  expect(within(panel).getByRole("link", { name: "Export with votes (JSONL)" })).toHaveAttribute(
    "href",
    `/api/v1/rounds/${makeRound().id}/export`,
  );
  first.unmount();

  serveConsole({ role: null });
  renderApp(page);
  await screen.findByText("6 of 40", { exact: false });
  expect(screen.queryByRole("region", { name: "For owners" })).not.toBeInTheDocument();
});

test("attempts of control arms use up the budget like any other", async () => {
  const controls = { no_model_share: 0.2, earlier_share: 0, model_id: null };
  const counts = makeErrorRate();
  const arm = {
    collected: 40,
    fooled: 0,
    verified_fooled: 0,
    pending: 0,
    model_error_rate: counts.model_error_rate,
    validated_model_error_rate: counts.validated_model_error_rate,
    seconds_per_verified_fooled: null,
  };
  serveConsole({ rounds: [makeRound({ controls })] });
  server.use(
    answer("get", "/api/v1/rounds/:round_id/arms", [
      { ...arm, arm: "target" },
      { ...arm, arm: "no_model", collected: 11 },
    ]),
  );
  renderApp(page);
  expect(await screen.findByText("51 of 100 examples")).toBeInTheDocument();
});

test("the round page says when it loads, failed or there is no such round", async () => {
  server.use(stall("get", rounds));
  const first = renderApp(page);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();

  server.use(refuse("get", rounds));
  const second = renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  server.use(answer("get", rounds, []));
  renderApp(page);
  expect(await screen.findByText("There is no round 2 in this task.")).toBeInTheDocument();
});

test("a draft is made with targets, policy, validation and budget", async () => {
  const sent: Schemas["RoundCreate"][] = [];
  server.use(
    answer("get", "/api/v1/tasks/:slug/models", [
      makeModel(),
      makeModel({ id: "0b0e7c60-0000-4000-8000-000000000302", name: "replayed", kind: "recorded" }),
    ]),
    http.post(`*${rounds}`, async ({ request }) => {
      sent.push((await request.json()) as Schemas["RoundCreate"]);
      return HttpResponse.json(makeRound({ number: 3, status: "draft" }), { status: 201 });
    }),
  );
  renderApp(console_);
  await userEvent.click(await screen.findByRole("button", { name: "New round" }));
  const targets = await screen.findByRole("group", { name: "Target models" });
  expect(within(targets).queryByLabelText("replayed v1")).not.toBeInTheDocument();
  await userEvent.click(within(targets).getByLabelText("starter v1"));
  await userEvent.selectOptions(screen.getByLabelText("Validators"), "blind");
  const quorum = screen.getByLabelText("Votes that must agree");
  await userEvent.clear(quorum);
  await userEvent.type(quorum, "2");
  await userEvent.type(screen.getByLabelText("Examples"), "500");
  await userEvent.click(screen.getByRole("button", { name: "Create draft" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    target_model_ids: [makeModel().id],
    validation: { mode: "blind", quorum: 2, maximum: 5 },
    budget: { examples: 500, days: null },
  });
});

test("what the server refuses stands beside its field, and nothing typed is lost", async () => {
  server.use(
    refuse("post", rounds, {
      status: 422,
      code: "rounds.invalid",
      fields: { "validation.maximum": "The maximum must be at least the quorum." },
    }),
  );
  renderApp(console_);
  await userEvent.click(await screen.findByRole("button", { name: "New round" }));
  const maximum = await screen.findByLabelText("Most votes on an example");
  await userEvent.clear(maximum);
  await userEvent.type(maximum, "1");
  await userEvent.click(screen.getByRole("button", { name: "Create draft" }));
  expect(await screen.findByText("The maximum must be at least the quorum.")).toBeInTheDocument();
  expect(maximum).toHaveValue(1);
});

test("the console says when there is no round, when it loads and when it failed", async () => {
  server.use(stall("get", rounds));
  const first = renderApp(console_);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();

  server.use(refuse("get", rounds));
  const second = renderApp(console_);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  server.use(answer("get", rounds, []));
  renderApp(console_);
  expect(await screen.findByText("There is no round yet.")).toBeInTheDocument();
  const steps = within(screen.getByRole("list", { name: "What a first round needs" }));
  expect(steps.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(
    ["contexts", "datasets", "training", "models", "members"].map((part) => `${console_}/${part}`),
  );
});

test.each(schemes)("the pages are accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  const first = renderApp(page);
  await screen.findByText("6 of 40", { exact: false });
  await screen.findByText("0.62");
  await expectAccessible();
  first.unmount();
  renderApp(console_);
  await userEvent.click(await screen.findByRole("button", { name: "New round" }));
  await screen.findByRole("group", { name: "Target models" });
  await expectAccessible();
});

test("an owner activates a draft of a task, so that its rounds can open", async () => {
  const posted: string[] = [];
  let status: Schemas["TaskStatus"] = "draft";
  server.use(
    http.get("*/api/v1/tasks/:slug", () =>
      HttpResponse.json(makeTask({ my_role: "owner", status })),
    ),
    http.post("*/api/v1/tasks/:slug/activate", ({ params }) => {
      posted.push(String(params.slug));
      status = "active";
      return HttpResponse.json(makeTask({ my_role: "owner", status }));
    }),
  );
  renderApp(console_);
  expect(await screen.findByText(/Draft: only its owners see it/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Activate the task" }));
  const dialog = await screen.findByRole("dialog", { name: "Activate the task" });
  expect(dialog).toHaveTextContent("it cannot become a draft again");
  await userEvent.click(within(dialog).getByRole("button", { name: "Activate the task" }));
  await waitFor(() => expect(screen.queryByText(/only its owners see it/)).not.toBeInTheDocument());
  expect(posted).toEqual(["nli"]);
});
