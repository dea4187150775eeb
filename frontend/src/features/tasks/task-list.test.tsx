import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { makeAnnotator, makeErrorRate, makeRound } from "../../mocks/factories/round";
import { makeTaskSummary } from "../../mocks/factories/task";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer } from "../../mocks/wire";

/** A screen that sees everything at once. */
class SeeingObserver implements Partial<IntersectionObserver> {
  readonly #report: IntersectionObserverCallback;

  constructor(report: IntersectionObserverCallback) {
    this.#report = report;
  }

  observe(target: Element): void {
    const entry = { isIntersecting: true, target } as IntersectionObserverEntry;
    this.#report([entry], this as unknown as IntersectionObserver);
  }

  disconnect(): void {
    // Nothing is watched on.
  }
}

function serve(rate: Parameters<typeof makeErrorRate>[0]) {
  globalThis.IntersectionObserver = SeeingObserver as unknown as typeof IntersectionObserver;
  const current = {
    task_slug: "nli",
    round: makeRound(),
    error_rate: makeErrorRate(rate),
  };
  const ahead = ["ida", "max", "eve", "tom"].map((username, place) =>
    makeAnnotator({ username, verified_fooled: 4 - place }),
  );
  server.use(
    answer("get", "/api/v1/tasks", [makeTaskSummary()]),
    answer("get", "/api/v1/current-rounds", [current]),
    answer("get", "/api/v1/rounds/:round_id/annotators", { rows: ahead, reason: null }),
  );
}

test.each(schemes)("a task names who is ahead in its round in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  serve({ verified_fooled: 10 });
  renderApp("/");
  expect(await screen.findByRole("link", { name: "ida" })).toHaveAttribute("href", "/users/ida");
  expect(screen.getByText("Most confirmed").nextElementSibling).toHaveTextContent(
    "ida 4, max 3, eve 2",
  );
  expect(screen.queryByRole("link", { name: "tom" })).not.toBeInTheDocument();
  await expectAccessible();
});

test("a round in which nothing is written shows no figures", async () => {
  serve({ collected: 0, verified_fooled: 0 });
  renderApp("/");
  expect(await screen.findByText(/Nothing is written yet/)).toBeInTheDocument();
  expect(screen.queryByText("Fooled")).not.toBeInTheDocument();
});

test("a long list is searched, and shows more when asked", async () => {
  const tasks = Array.from({ length: 120 }, (_, index) =>
    makeTaskSummary({
      slug: `task-${index}`,
      title: index === 117 ? "Café reviews" : `Task ${index}`,
      status: index < 2 ? "draft" : "active",
    }),
  );
  server.use(answer("get", "/api/v1/tasks", tasks), answer("get", "/api/v1/current-rounds", []));
  const { router } = renderApp("/");
  expect(await screen.findByText("Task 49")).toBeInTheDocument();
  expect(screen.queryByText("Task 50")).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Show 50 more" }));
  expect(screen.getByText("Task 99")).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText("Search the tasks"), "cafe rev");
  expect(await screen.findByText("1 of 120 tasks")).toBeInTheDocument();
  expect(screen.getByText("Café reviews")).toBeInTheDocument();
  expect(router.state.location.search).toEqual({ search: "cafe rev" });
  await userEvent.clear(screen.getByLabelText("Search the tasks"));
  await userEvent.selectOptions(screen.getByLabelText("Status"), "Drafts");
  expect(await screen.findByText("2 of 120 tasks")).toBeInTheDocument();
  await expectAccessible();
});
