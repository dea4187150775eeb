import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import { formatDateTime } from "../../lib/format";
import { fromLocalField, toLocalField } from "../../lib/local-moment";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeErrorRate, makeRound } from "../../mocks/factories/round";
import { renderApp } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse } from "../../mocks/wire";

const rounds = "/api/v1/tasks/:slug/rounds";
const HOUR = 3_600_000;
const opens_at = new Date(Date.now() + 24 * HOUR).toISOString();
const closes_at = new Date(Date.now() + 48 * HOUR).toISOString();
const waiting = makeRound({ schedule: { opens_at, closes_at } });
const current = {
  task_slug: "nli",
  round: waiting,
  error_rate: makeErrorRate({ collected: 0 }),
};

beforeEach(() => serveConsole());

test("before its opening a round is shown with its times, and nobody is sent to write", async () => {
  server.use(
    answer("get", rounds, [waiting]),
    answer("get", "/api/v1/tasks/:slug/current-round", current),
  );
  const { unmount } = renderApp("/tasks/nli/rounds/2");
  expect(await screen.findByText(formatDateTime(opens_at, "en"))).toBeInTheDocument();
  expect(screen.getByText(formatDateTime(closes_at, "en"))).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Write examples" })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Validate" })).toBeInTheDocument();
  unmount();

  renderApp("/tasks/nli/create");
  const said = `Round 2 opens on ${formatDateTime(opens_at, "en")} and takes no examples before.`;
  expect(await screen.findByText(said, { exact: false })).toBeInTheDocument();
  expect(screen.queryByText(/play with its model/)).not.toBeInTheDocument();
});

test("once its opening has come people write", async () => {
  const begun = makeRound({ schedule: { opens_at: new Date(0).toISOString(), closes_at } });
  server.use(answer("get", rounds, [begun]));
  renderApp("/tasks/nli/rounds/2");
  expect(await screen.findByRole("link", { name: "Write examples" })).toBeInTheDocument();
});

test("owners move the times of an open round", async () => {
  const bodies: unknown[] = [];
  server.use(
    answer("get", rounds, [waiting]),
    http.patch("/api/v1/rounds/:round_id", async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json(waiting);
    }),
  );
  const { container } = renderApp("/tasks/nli/owner");
  await userEvent.click(await screen.findByRole("button", { name: "Change its times" }));
  const fields = screen.getByRole("group", { name: "When it takes examples" });
  const opens = within(fields).getByLabelText("Opens at");
  expect(opens).toHaveValue(toLocalField(opens_at));
  await expectAccessible(container);
  await userEvent.clear(opens);
  const closes = within(fields).getByLabelText("Closes at");
  await userEvent.clear(closes);
  await userEvent.type(closes, "2034-03-01T09:30");
  await userEvent.click(screen.getByRole("button", { name: "Save changes" }));
  await waitFor(() =>
    expect(bodies).toEqual([
      { schedule: { opens_at: null, closes_at: fromLocalField("2034-03-01T09:30") } },
    ]),
  );
  expect(await screen.findByRole("button", { name: "Change its times" })).toBeInTheDocument();
});

test("of a round that takes examples only the closing is asked, and the server's word shown", async () => {
  const sentence = "The closing lies in the past; set a later time.";
  server.use(
    answer("get", rounds, [makeRound()]),
    refuse("patch", "/api/v1/rounds/:round_id", {
      status: 422,
      code: "rounds.settings_invalid",
      detail: sentence,
      fields: { "schedule.closes_at": sentence },
    }),
  );
  renderApp("/tasks/nli/owner");
  await userEvent.click(await screen.findByRole("button", { name: "Change its times" }));
  expect(screen.queryByLabelText("Opens at")).not.toBeInTheDocument();
  await userEvent.type(screen.getByLabelText("Closes at"), "2020-03-01T09:30");
  await userEvent.click(screen.getByRole("button", { name: "Save changes" }));
  expect(await screen.findByText(sentence)).toBeInTheDocument();
});
