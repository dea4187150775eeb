import { useQuery } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { ApiProblem, NOT_UNDERSTOOD, UNREACHABLE } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { renderUi, schemes } from "../../mocks/render";
import { Empty, Failed, Loading, QueryView } from "./states";

test.each(schemes)("the states are accessible in %s", async (scheme) => {
  renderUi(
    <main>
      <Loading />
      <Empty title="No task is open." action={<button type="button">Create one</button>}>
        Start with a file.
      </Empty>
      <Failed error={new Error("broken")} onRetry={() => undefined} />
    </main>,
    scheme,
  );
  await expectAccessible();
});

test("loading is said, not only drawn", () => {
  renderUi(<Loading />);
  expect(screen.getByRole("status")).toHaveTextContent("Loading…");
});

test("a failure says what the server said and names the request", () => {
  const problem = { status: 409, code: "x", detail: "Round 2 is closed.", request_id: "req-7" };
  renderUi(<Failed error={new ApiProblem(problem)} />);
  expect(screen.getByRole("alert")).toHaveTextContent("Round 2 is closed.");
  expect(screen.getByRole("alert")).toHaveTextContent("Request req-7");
});

test.each([
  [new ApiProblem({ status: 0, code: UNREACHABLE }), "The server did not answer."],
  [new ApiProblem({ status: 502, code: NOT_UNDERSTOOD }), "status 502"],
  [new TypeError("of our own making"), "drafts are kept"],
])("a failure without the server's words gets ours (%#)", (error, words) => {
  renderUi(<Failed error={error} />);
  expect(screen.getByRole("alert")).toHaveTextContent(words);
});

function Numbers({ fetch }: { fetch: () => Promise<number[]> }) {
  const query = useQuery({ queryKey: ["numbers"], queryFn: fetch });
  return (
    <QueryView
      query={query}
      isEmpty={(numbers) => numbers.length === 0}
      empty={<Empty title="No numbers." />}
    >
      {(numbers) => <p>Sum {numbers.reduce((sum, number) => sum + number, 0)}</p>}
    </QueryView>
  );
}

test("what is fetched is shown", async () => {
  renderUi(<Numbers fetch={() => Promise.resolve([1, 2])} />);
  expect(screen.getByRole("status")).toBeInTheDocument();
  expect(await screen.findByText("Sum 3")).toBeInTheDocument();
});

test("nothing fetched is its own state", async () => {
  renderUi(<Numbers fetch={() => Promise.resolve([])} />);
  expect(await screen.findByText("No numbers.")).toBeInTheDocument();
});

test("a failed fetch can be tried again", async () => {
  const fetch = vi.fn<() => Promise<number[]>>();
  fetch.mockRejectedValueOnce(new Error("once")).mockResolvedValue([4]);
  renderUi(<Numbers fetch={fetch} />);
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Sum 4")).toBeInTheDocument();
});
