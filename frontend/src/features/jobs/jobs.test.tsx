import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test, vi } from "vitest";

import { serveConsole } from "../../mocks/console-wire";
import { FakeEventSource } from "../../mocks/event-source";
import { makeDataset } from "../../mocks/factories/console";
import { makeJob } from "../../mocks/factories/person";
import { renderApp } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer } from "../../mocks/wire";

const page = "/tasks/nli/owner/data";

beforeEach(() => {
  serveConsole();
  server.use(answer("get", "/api/v1/tasks/:slug/datasets", [makeDataset()]));
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

test("the server tells of the jobs, and nobody asks for them meanwhile", async () => {
  FakeEventSource.opened = [];
  vi.stubGlobal("EventSource", FakeEventSource);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let asked = 0;
  const job = makeJob({ id: "1", name: "training.train", state: "running", progress: 0.1 });
  server.use(
    http.get("*/api/v1/jobs", () => {
      asked += 1;
      return HttpResponse.json([job]);
    }),
  );
  renderApp(page);
  expect(await screen.findByText("Running, 10 %")).toBeInTheDocument();
  const source = FakeEventSource.opened.at(-1) ?? expect.fail("nothing listens");
  expect(FakeEventSource.opened.map(({ url }) => url)).toEqual(["/api/v1/jobs/live"]);
  const begun = makeJob({ id: "2", name: "datasets.release", state: "queued" });
  act(() => source.say("jobs", [begun, { ...job, progress: 0.5 }]));
  expect(await screen.findByText("Running, 50 %")).toBeInTheDocument();
  expect(screen.getByText("Release of a round")).toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(asked).toBe(1);
  // A server that refuses a line is asked.
  act(() => source.break(true));
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  expect(asked).toBe(2);
  vi.useRealTimers();
});

test("the page says that there is no job", async () => {
  server.use(answer("get", "/api/v1/jobs", []));
  renderApp(page);
  expect(await screen.findByText("No job of yours is running or was lately.")).toBeInTheDocument();
});
