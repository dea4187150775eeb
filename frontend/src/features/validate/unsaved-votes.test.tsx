import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import { makeItem, makeVote } from "../../mocks/factories/validation";
import { renderApp } from "../../mocks/render";
import { server } from "../../mocks/server";
import {
  items,
  lend,
  reasons,
  serveValidating,
  votes,
  withConfig,
} from "../../mocks/validate-wire";
import { refuse, stall } from "../../mocks/wire";

const page = "/tasks/nli/validate";

beforeEach(() => serveValidating());

test("a vote that was lost is told and sent again as the same vote", async () => {
  const cast = lend(items(2));
  server.use(refuse("post", votes));
  const { unmount } = renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("1");
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("A vote was not saved");
  expect(screen.getByText("Hypothesis 2")).toBeInTheDocument();
  server.use(
    http.post(`*${votes}`, ({ request }) => {
      cast.push({
        example: "again",
        ballot: { metadata: {} },
        key: request.headers.get("idempotency-key"),
      });
      return HttpResponse.json(makeVote(), { status: 201 });
    }),
  );
  await userEvent.click(within(alert).getByRole("button", { name: "Send it again" }));
  await waitFor(() => expect(cast).toHaveLength(1));
  await waitFor(() => expect(screen.queryByRole("alert")).not.toBeInTheDocument());
  unmount();
});

test("a vote that was on its way when the page went is sent again as the same vote", async () => {
  lend(items(2));
  server.use(stall("post", votes));
  const first = renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("1");
  await screen.findByText("Hypothesis 2");
  first.unmount();

  const cast = lend(items(2));
  const second = renderApp(page);
  await waitFor(() => expect(cast).toHaveLength(1));
  expect(cast[0]).toMatchObject({ example: makeItem(1).example_id, ballot: { vote: "correct" } });
  expect(await screen.findByText("Hypothesis 2")).toBeInTheDocument();
  expect(screen.queryByText("Hypothesis 1")).not.toBeInTheDocument();
  await waitFor(() => expect(localStorage.length).toBe(0));
  second.unmount();
});

test("a half-written reason survives a reload", async () => {
  const cast = lend(items(2));
  server.use(withConfig({ metadata: { validate: reasons } }));
  const first = renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("3");
  await userEvent.type(await screen.findByRole("textbox", { name: "Flag reason" }), "Names a ");
  first.unmount();

  renderApp(page);
  await screen.findByText("Hypothesis 1");
  await userEvent.keyboard("3");
  const reason = await screen.findByRole("textbox", { name: "Flag reason" });
  expect(reason).toHaveValue("Names a ");
  await userEvent.type(reason, "person.");
  await userEvent.click(screen.getByRole("button", { name: /Save vote/ }));
  await waitFor(() => expect(cast[0]?.ballot.metadata).toEqual({ flag_reason: "Names a person." }));
});
