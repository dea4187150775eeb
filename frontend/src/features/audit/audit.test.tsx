import "../../lib/i18n/later/audit";

import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { makeTask } from "../../mocks/factories/task";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const audit = "/api/v1/audit";

function makeEntry(given: Partial<Schemas["AuditEntryRead"]> = {}): Schemas["AuditEntryRead"] {
  return {
    number: 7,
    at: "2026-01-05T09:00:00Z",
    actor_id: null,
    actor_name: "ada",
    request_id: "r1",
    act: "round.changed",
    subject_id: "1",
    subject_name: "2",
    task_id: null,
    reason: "enough",
    before: { status: "open" },
    after: { status: "closed" },
    ...given,
  };
}

function signInAdmin() {
  server.use(answer("get", "/api/v1/session", makeSession({ user: makeUser({ is_admin: true }) })));
}

test("administrators see who changed what, and narrow it", async () => {
  signInAdmin();
  const asked: string[] = [];
  server.use(
    http.get(`*${audit}`, ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ items: [makeEntry()], next_cursor: null });
    }),
  );
  renderApp("/admin/audit");
  expect(await screen.findByText('status: "open" → "closed"')).toBeInTheDocument();
  expect(screen.getByText("Round: changed")).toBeInTheDocument();
  expect(screen.getByText("enough")).toBeInTheDocument();
  await userEvent.selectOptions(screen.getByLabelText("Kind"), "account");
  await userEvent.type(screen.getByLabelText("By (username)"), "ada");
  await expect.poll(() => asked.at(-1)).toContain("who=ada");
  expect(asked.at(-1)).toContain("act=account");
});

test("owners see their task's part, with acts that the page does not know", async () => {
  server.use(
    answer("get", "/api/v1/session", makeSession({ user: makeUser() })),
    answer("get", "/api/v1/tasks/:slug", makeTask({ my_role: "owner" })),
    answer("get", "/api/v1/tasks/:slug/audit", {
      items: [makeEntry({ act: "moon.landed", before: null, reason: null })],
      next_cursor: null,
    }),
  );
  renderApp("/tasks/nli/owner/audit");
  expect(await screen.findByText("moon.landed")).toBeInTheDocument();
  expect(screen.getByText('status: "closed"')).toBeInTheDocument();
  await expectAccessible();
});

test("what was added or removed is told without the values that are empty", async () => {
  signInAdmin();
  const values = { number: 3, close_reason: null, context_tags: [], note: "", is_open: false };
  server.use(
    answer("get", audit, {
      items: [
        makeEntry({ number: 1, act: "round.added", before: null, after: values }),
        makeEntry({ number: 2, act: "round.removed", before: values, after: null }),
        makeEntry({ number: 3, before: { close_reason: "" }, after: { close_reason: null } }),
      ],
      next_cursor: null,
    }),
  );
  renderApp("/admin/audit");
  expect(await screen.findByText("number: 3, is_open: false")).toBeInTheDocument();
  expect(screen.getByText("number: 3 → null, is_open: false → null")).toBeInTheDocument();
  expect(screen.getByText('close_reason: "" → null')).toBeInTheDocument();
});

test("others are told whom the page is for", async () => {
  renderApp("/admin/audit");
  expect(await screen.findByText("This page is for administrators")).toBeInTheDocument();
});

test.each(schemes)("its four states are accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  signInAdmin();
  server.use(stall("get", audit));
  const loading = renderApp("/admin/audit");
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  await expectAccessible();
  loading.unmount();

  server.use(refuse("get", audit));
  const failed = renderApp("/admin/audit");
  expect(await screen.findByRole("alert")).toBeInTheDocument();
  await expectAccessible();
  failed.unmount();

  server.use(answer("get", audit, { items: [], next_cursor: null }));
  renderApp("/admin/audit");
  expect(await screen.findByText("Nothing was recorded that fits.")).toBeInTheDocument();
  await expectAccessible();
});
