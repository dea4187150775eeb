import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { renderApp } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse } from "../../mocks/wire";

const address = "/api/v1/users/me/notifications";

function makeNotice(given: Partial<Schemas["NotificationRead"]> = {}): Schemas["NotificationRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-0000000000b1",
    kind: "proposal.changes_asked",
    details: { slug: "irony", by: "root" },
    path: "/proposals/0b0e7c60-0000-4000-8000-00000000000a",
    created_at: "2026-01-05T09:00:00Z",
    read_at: null,
    ...given,
  };
}

const older = makeNotice({
  id: "0b0e7c60-0000-4000-8000-0000000000b0",
  kind: "member.role_given",
  details: { slug: "nli", by: "root", role: "expert" },
  path: "/tasks/nli",
  read_at: "2026-01-05T09:30:00Z",
});

beforeEach(() => {
  server.use(
    answer("get", "/api/v1/session", makeSession({ user: makeUser() })),
    answer("get", address, { items: [makeNotice(), older], next_cursor: null, unread: 1 }),
  );
});

test("the bell counts what is unread, and the list says what happened and leads there", async () => {
  renderApp("/notifications");
  expect(await screen.findByRole("link", { name: "Notifications, 1 unread" })).toHaveAttribute(
    "href",
    "/notifications",
  );
  expect(
    await screen.findByRole("link", {
      name: "root asks for changes of your proposed task “irony”.",
    }),
  ).toHaveAttribute("href", makeNotice().path);
  expect(
    screen.getByRole("link", { name: "root has made you expert of the task “nli”." }),
  ).toHaveAttribute("href", "/tasks/nli");
  await expectAccessible(document.body);
});

test("all are marked as read up to the newest that was shown", async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(`*${address}/read`, async ({ request }) => {
      sent.push(await request.json());
      server.use(answer("get", address, { items: [older], next_cursor: null, unread: 0 }));
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderApp("/notifications");
  await userEvent.click(await screen.findByRole("button", { name: "Mark all as read" }));
  expect(await screen.findByText("You have read everything.")).toBeInTheDocument();
  expect(sent).toEqual([{ through: makeNotice().id }]);
  await waitFor(() =>
    expect(screen.getByRole("link", { name: "Notifications" })).toBeInTheDocument(),
  );
});

test("nothing to tell, nobody signed in and a failure are each said", async () => {
  server.use(answer("get", address, { items: [], next_cursor: null, unread: 0 }));
  const empty = renderApp("/notifications");
  expect(await screen.findByText("Nothing has happened yet.")).toBeInTheDocument();
  empty.unmount();

  server.use(refuse("get", address, { status: 403, detail: "This was refused." }));
  const failed = renderApp("/notifications");
  expect(await screen.findByRole("alert")).toHaveTextContent("This was refused.");
  failed.unmount();

  server.use(answer("get", "/api/v1/session", makeSession()));
  renderApp("/notifications");
  expect(await screen.findByText("Sign in to see what you were told.")).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Notifications" })).not.toBeInTheDocument();
});
