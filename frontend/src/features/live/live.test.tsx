import { act, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { FakeEventSource } from "../../mocks/event-source";
import { makeNumbers } from "../../mocks/factories/live";
import { makeRate } from "../../mocks/factories/round";
import { renderUi, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse } from "../../mocks/wire";
import { RoundLive, TaskLive } from "./live-numbers";

const NUMBERS = "/api/v1/rounds/:roundId/numbers";
const roundId = makeNumbers().round_id;

beforeEach(() => {
  FakeEventSource.opened = [];
  vi.stubGlobal("EventSource", FakeEventSource);
  server.use(answer("get", NUMBERS, makeNumbers()));
});

const source = () => FakeEventSource.opened.at(-1) ?? expect.fail("nothing listens");
const figure = (name: string) => {
  const term = screen.getByText(name, { selector: "dt" });
  return within(term.parentElement ?? document.body).getByRole("definition");
};

test("the numbers show with what they are made of, and change when the server says so", async () => {
  const told = vi.fn();
  renderUi(<RoundLive roundId={roundId} onNumbers={told} />);
  expect(await screen.findByText("12.0 an hour")).toBeInTheDocument();
  expect(screen.getByRole("status")).toHaveTextContent("Connecting…");
  expect(figure("Waiting for validators")).toHaveTextContent("3Votes needed: 7.");
  expect(figure("Time per validated fooling example")).toHaveTextContent("2:05");
  expect(figure("People ahead of the target")).toHaveTextContent("–Validators see");
  expect(figure("Projected end")).toHaveTextContent("40 of 100 examples. Between");
  expect(source().url).toBe(`/api/v1/rounds/${roundId}/live`);
  const next = makeNumbers({ backlog: { ...makeNumbers().backlog, waiting: 4 } });
  act(() => source().say("round", next));
  expect(figure("Waiting for validators")).toHaveTextContent("4Votes needed: 7.");
  expect(screen.getByRole("status")).toHaveTextContent("Live");
  expect(told).toHaveBeenLastCalledWith(next);
});

test("an end that is expected within a day is told by the hour", async () => {
  const soon = { earliest_at: "2026-02-08T09:00:00Z", latest_at: "2026-02-08T09:40:00Z" };
  const ends = makeNumbers().ends.map((end) => ({ ...end, ...soon }));
  server.use(answer("get", NUMBERS, makeNumbers({ ends })));
  renderUi(<RoundLive roundId={roundId} />);
  await screen.findByText("12.0 an hour");
  expect(figure("Projected end")).toHaveTextContent(/Between .*:00.* and .*:40/u);
});

test("a lost line is told, and numbers are asked for where listening is in vain", async () => {
  renderUi(<RoundLive roundId={roundId} />);
  await screen.findByText("12.0 an hour");
  act(() => source().say("tick"));
  act(() => source().break());
  expect(screen.getByRole("status")).toHaveTextContent("Connection lost, trying again");
  act(() => source().say("tick"));
  expect(screen.getByRole("status")).toHaveTextContent("Live");
  act(() => source().break(true));
  expect(screen.getByRole("status")).toHaveTextContent("Looked up every 15 seconds");
  expect(source().readyState).toBe(FakeEventSource.CLOSED);
});

test("a hidden tab holds no line, and takes it up when it is shown", async () => {
  const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  const turn = () =>
    act(() => {
      document.dispatchEvent(new Event("visibilitychange"));
    });
  renderUi(<RoundLive roundId={roundId} />);
  await screen.findByText("12.0 an hour");
  turn();
  expect(FakeEventSource.opened.every(({ readyState }) => readyState === 2)).toBe(true);
  hidden.mockReturnValue("visible");
  turn();
  expect(source().readyState).toBe(FakeEventSource.CONNECTING);
  act(() => source().say("end"));
  expect(source().readyState).toBe(FakeEventSource.CLOSED);
  expect(screen.getByRole("status")).toHaveTextContent("This round is released");
});

test("a page without streams asks, and says so", async () => {
  vi.stubGlobal("EventSource", undefined);
  renderUi(<RoundLive roundId={roundId} />);
  expect(await screen.findByText("Looked up every 15 seconds")).toBeInTheDocument();
});

test("a task before its first round shows nothing, and a failure can be tried again", async () => {
  server.use(answer("get", "/api/v1/tasks/nli/numbers", { task_slug: "nli", round: null }));
  const { unmount } = renderUi(<TaskLive slug="nli" />);
  act(() => source().say("task", { task_slug: "nli", round: null }));
  expect(screen.queryByText("Collection rate")).not.toBeInTheDocument();
  unmount();
  server.use(refuse("get", NUMBERS, { status: 503, code: "unavailable" }));
  renderUi(<RoundLive roundId={roundId} />);
  expect(await screen.findByRole("button", { name: "Try again" })).toBeInTheDocument();
});

test("what nobody can know yet has a reason and no zero", async () => {
  const unknown = makeNumbers({
    status: "closed",
    collection: null,
    curve: [],
    effort: { ...makeNumbers().effort, seconds_per_validated_fooling: null, timed_attempts: 1 },
    human_gap: {
      ...makeNumbers().human_gap,
      people: makeRate({ value: 0.9, part: 9, whole: 10 }),
      targets: makeRate({ value: 0.5, part: 5, whole: 10 }),
      gap: 0.4,
      low: 0.1,
      high: 0.6,
      reason: null,
    },
    ends: [],
  });
  server.use(answer("get", NUMBERS, unknown));
  renderUi(<RoundLive roundId={roundId} />);
  expect(await screen.findByText("The round is not collecting.")).toBeInTheDocument();
  expect(figure("Collection rate")).toHaveTextContent(/^–/u);
  expect(figure("Time per validated fooling example")).toHaveTextContent(/^–Too few/u);
  expect(figure("People ahead of the target")).toHaveTextContent("40.0 points (10.0 to 60.0)");
  expect(figure("Projected end")).toHaveTextContent(/^–No budget is set/u);
  expect(screen.getByText("Nobody has written yet.")).toBeInTheDocument();
});

test("a gap of one validator has no interval, and the reason stands beside it", async () => {
  const human_gap = {
    people: makeRate({ value: 0.9, part: 9, whole: 10, low: null, high: null }),
    targets: makeRate({ value: 0.5, part: 5, whole: 10 }),
    gap: 0.4,
    low: null,
    high: null,
    reason: "one_validator" as const,
  };
  server.use(answer("get", NUMBERS, makeNumbers({ human_gap })));
  renderUi(<RoundLive roundId={roundId} />);
  expect(await screen.findByText(/One person answered, so nothing tells/)).toBeInTheDocument();
  expect(figure("People ahead of the target")).toHaveTextContent(/^40.0 pointsOn the same/u);
});

test.each(schemes)("live numbers are accessible in %s", async (scheme) => {
  renderUi(
    <main>
      <RoundLive roundId={roundId} />
    </main>,
    scheme,
  );
  await screen.findByText("12.0 an hour");
  await expectAccessible();
});
