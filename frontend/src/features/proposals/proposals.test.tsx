import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const proposals = "/api/v1/proposals";
const admin = makeUser({ username: "root", is_admin: true });

function makeProposal(given: Partial<Schemas["ProposalRead"]> = {}): Schemas["ProposalRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-00000000000a",
    slug: "irony",
    revision: 2,
    reason: "To see who gets a joke.",
    status: "open",
    proposed_by: "ada",
    task_slug: null,
    created_at: "2026-01-05T09:00:00Z",
    updated_at: "2026-01-05T09:00:00Z",
    config: "title: Irony",
    notes: [
      {
        revision: 1,
        status: "changes_asked",
        text: "Shorter, please.",
        written_by: "root",
        created_at: "2026-01-05T10:00:00Z",
      },
    ],
    ...given,
  };
}

const proposal = makeProposal();
const address = `/proposals/${proposal.id}`;

beforeEach(() => {
  server.use(
    answer("get", "/api/v1/session", makeSession({ user: admin })),
    answer("get", proposals, { items: [proposal], next_cursor: null }),
    answer("get", `${proposals}/:id`, proposal),
    answer("post", "/api/v1/task-config-checks", {
      problems: [],
      config: null,
      frozen_changes: [],
    }),
  );
});

test("an administrator reads what was said and asks for changes of the revision shown", async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(`*${proposals}/:id/decisions`, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(makeProposal({ status: "changes_asked" }), { status: 201 });
    }),
  );
  renderApp(address);
  expect(
    await screen.findByRole("heading", { level: 1, name: "Proposed task irony" }),
  ).toBeInTheDocument();
  expect(screen.getByRole("list", { name: "What was said" })).toHaveTextContent("Shorter, please.");
  const ask = screen.getByRole("button", { name: "Ask for changes" });
  expect(ask).toBeDisabled();
  expect(screen.getByRole("button", { name: "Reject" })).toBeDisabled();
  await userEvent.type(screen.getByLabelText("A word to the author"), "Name the labels.");
  await userEvent.click(ask);
  expect(sent).toEqual([{ status: "changes_asked", revision: 2, text: "Name the labels." }]);
});

test("accepting says what it makes, and a refusal says why in the dialog", async () => {
  server.use(
    refuse("post", `${proposals}/:id/decisions`, {
      status: 409,
      code: "proposals.revised",
      detail: "Look at it again first.",
    }),
  );
  renderApp(address);
  await userEvent.click(await screen.findByRole("button", { name: "Accept" }));
  const dialog = await screen.findByRole("dialog", { name: "Accept" });
  expect(dialog).toHaveTextContent("the draft task “irony”, which ada owns");
  await userEvent.click(within(dialog).getByRole("button", { name: "Accept" }));
  expect(await within(dialog).findByRole("alert")).toHaveTextContent("Look at it again first.");
});

test("an accepted proposal leads its author to the task and can be changed by nobody", async () => {
  server.use(
    answer("get", "/api/v1/session", makeSession({ user: makeUser() })),
    answer("get", `${proposals}/:id`, makeProposal({ status: "accepted", task_slug: "irony" })),
  );
  renderApp(address);
  expect(await screen.findByRole("link", { name: "Open the task" })).toHaveAttribute(
    "href",
    "/tasks/irony/owner/config",
  );
  expect(screen.queryByRole("button", { name: "Withdraw" })).not.toBeInTheDocument();
  expect(screen.getByRole("figure", { name: "The proposed config" })).toBeInTheDocument();
});

test.each(schemes)("the list in every state, %s", async (scheme) => {
  localStorage.setItem("mantine-color-scheme-value", scheme);
  const { unmount } = renderApp("/proposals");
  const list = await screen.findByRole("list", { name: "Proposals, newest first" });
  expect(within(list).getByRole("link", { name: "irony" })).toHaveAttribute("href", address);
  await expectAccessible(document.body);
  unmount();

  server.use(answer("get", proposals, { items: [], next_cursor: null }));
  const empty = renderApp("/proposals");
  expect(await screen.findByText("Nothing is proposed yet.")).toBeInTheDocument();
  empty.unmount();

  server.use(refuse("get", proposals, { status: 403, detail: "This was refused." }));
  const failed = renderApp("/proposals");
  expect(await screen.findByRole("alert")).toHaveTextContent("This was refused.");
  failed.unmount();

  server.use(stall("get", proposals));
  renderApp("/proposals?status=open");
  expect(await screen.findByLabelText("Status")).toHaveValue("open");
  expect(screen.getByText("Loading…")).toBeInTheDocument();
});
