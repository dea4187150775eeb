import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import { serveConsole } from "../../mocks/console-wire";
import { makeRound } from "../../mocks/factories/round";
import { renderApp } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer } from "../../mocks/wire";

const page = "/tasks/nli/rounds/2";

beforeEach(() => serveConsole());

test("closing asks once and says what will happen", async () => {
  let closed = 0;
  server.use(
    http.post("*/api/v1/rounds/:round_id/close", () => {
      closed += 1;
      return HttpResponse.json(makeRound({ status: "closed" }));
    }),
  );
  renderApp(page);
  await userEvent.click(await screen.findByRole("button", { name: "Close round 2" }));
  const dialog = await screen.findByRole("dialog", { name: "Close round 2" });
  expect(dialog).toHaveTextContent("3 examples still wait for a verdict");
  expect(closed).toBe(0);
  await userEvent.click(within(dialog).getByRole("button", { name: "Close round 2" }));
  await waitFor(() => expect(closed).toBe(1));
});

test("closing says what a release would lack", async () => {
  const sentence = "Only 4 verified fooling examples: a test split needs 10.";
  serveConsole();
  server.use(
    answer("get", "/api/v1/rounds/:round_id/release-plan", {
      missing: [{ code: "too_few_verified", sentence }],
    }),
  );
  renderApp(page);
  await userEvent.click(await screen.findByRole("button", { name: "Close round 2" }));
  const dialog = await screen.findByRole("dialog", { name: "Close round 2" });
  expect(await within(dialog).findByText(sentence)).toBeInTheDocument();
});

test("a closed round is opened again; one that was collected elsewhere is not", async () => {
  let reopened = 0;
  serveConsole({ rounds: [makeRound({ status: "closed" })] });
  server.use(
    http.post("*/api/v1/rounds/:round_id/reopen", () => {
      reopened += 1;
      return HttpResponse.json(makeRound());
    }),
  );
  renderApp(page);
  const name = "Open round 2 again";
  await userEvent.click(await screen.findByRole("button", { name }));
  const dialog = await screen.findByRole("dialog", { name });
  await userEvent.click(within(dialog).getByRole("button", { name }));
  await waitFor(() => expect(reopened).toBe(1));
});
