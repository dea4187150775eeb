import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { makeInvitation, makeJob } from "../../mocks/factories/person";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const users = "/api/v1/users";
const invitations = "/api/v1/invitations";
const jobs = "/api/v1/jobs";

const grace = makeUser({
  id: "0b0e7c60-0000-4000-8000-000000000002",
  username: "grace",
  display_name: "Grace",
});

function signInAdmin() {
  server.use(answer("get", "/api/v1/session", makeSession({ user: makeUser({ is_admin: true }) })));
}

/** People in two pages, found by name. */
function answerPeople() {
  server.use(
    http.get(`*${users}`, ({ request }) => {
      const { searchParams } = new URL(request.url);
      if (searchParams.get("search") === "zzz") {
        return HttpResponse.json({ items: [], next_cursor: null });
      }
      return HttpResponse.json(
        searchParams.get("cursor") === "2"
          ? { items: [grace], next_cursor: null }
          : { items: [makeUser({ is_admin: true })], next_cursor: "2" },
      );
    }),
  );
}

function showAll() {
  signInAdmin();
  answerPeople();
  server.use(
    answer("get", invitations, [makeInvitation()]),
    answer("get", jobs, [
      makeJob({ state: "failed", error: "No contexts." }),
      makeJob({ id: "2" }),
    ]),
  );
  return renderApp("/admin");
}

test("people are found by name and loaded page by page", async () => {
  showAll();
  await userEvent.click(await screen.findByRole("button", { name: "Load more" }));
  expect(await screen.findByRole("link", { name: "grace" })).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText("Search by name"), "zzz");
  expect(await screen.findByText("Nobody’s name contains “zzz”.")).toBeInTheDocument();
});

test("a person is made an administrator, disabled, and given a password link", async () => {
  showAll();
  await userEvent.click(await screen.findByRole("button", { name: "Load more" }));
  await userEvent.click(await screen.findByRole("button", { name: "Change grace" }));
  const dialog = await screen.findByRole("dialog", { name: "Change grace" });
  server.use(
    answer(
      "post",
      `${users}/:username/password-reset`,
      { path: "/password-reset/abc", expires_at: "2026-01-06T09:00:00Z" },
      201,
    ),
    refuse("patch", `${users}/:username/account`, {
      status: 409,
      code: "people.last_admin",
      detail: "This is the last administrator. Make another one first.",
    }),
  );
  await userEvent.click(within(dialog).getByRole("button", { name: "Make a password link" }));
  expect(await within(dialog).findByText(/\/password-reset\/abc$/)).toBeInTheDocument();
  await userEvent.click(within(dialog).getByRole("button", { name: "Disable grace" }));
  expect(await within(dialog).findByRole("alert")).toHaveTextContent("last administrator");
  server.use(answer("patch", `${users}/:username/account`, { ...grace, is_admin: true }));
  await userEvent.click(
    within(dialog).getByRole("button", { name: "Make grace an administrator" }),
  );
  await expectAccessible();
});

test("an invitation's link is shown once, and an invitation is taken back", async () => {
  showAll();
  server.use(
    answer("post", invitations, { ...makeInvitation(), path: "/sign-up?invitation=abc" }, 201),
  );
  await userEvent.type(
    await screen.findByLabelText("Whom it is for (optional)"),
    "for Grace{Enter}",
  );
  expect(await screen.findByText(/\/sign-up\?invitation=abc$/)).toBeInTheDocument();
  server.use(
    answer("delete", `${invitations}/:invitation_id`, null, 204),
    answer("get", invitations, []),
  );
  await userEvent.click(screen.getByRole("button", { name: "Take back for Grace" }));
  const dialog = await screen.findByRole("dialog", { name: "Take back for Grace" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Take back for Grace" }));
  expect(await screen.findByText("Nobody is invited at the moment.")).toBeInTheDocument();
});

test("jobs show their progress and their reason, and are cancelled after asking", async () => {
  showAll();
  const bar = await screen.findByRole("progressbar", { name: "Progress of release" });
  expect(bar).toHaveAttribute("aria-valuenow", "40");
  expect(screen.getByText("No contexts.")).toBeInTheDocument();
  server.use(
    answer("post", `${jobs}/:job_id/cancel`, makeJob({ state: "cancelled" })),
    answer("get", jobs, [makeJob({ state: "cancelled" })]),
  );
  await userEvent.click(screen.getByRole("button", { name: "Cancel release" }));
  const dialog = await screen.findByRole("dialog", { name: "Cancel release" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Cancel release" }));
  expect(await screen.findByText("Cancelled")).toBeInTheDocument();
});

test("who is no administrator is told so", async () => {
  renderApp("/admin");
  expect(await screen.findByText("This page is for administrators")).toBeInTheDocument();
  await expectAccessible();
});

test.each(schemes)("its four states are accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  signInAdmin();
  server.use(stall("get", users), stall("get", invitations), stall("get", jobs));
  const loading = renderApp("/admin");
  await waitFor(() => expect(screen.getAllByText("Loading…")).toHaveLength(3));
  await expectAccessible();
  loading.unmount();

  server.use(refuse("get", users), refuse("get", invitations), refuse("get", jobs));
  const failed = renderApp("/admin");
  await waitFor(() => expect(screen.getAllByRole("alert")).toHaveLength(3));
  await expectAccessible();
  failed.unmount();

  server.use(
    answer("get", users, { items: [], next_cursor: null }),
    answer("get", invitations, []),
    answer("get", jobs, []),
  );
  const empty = renderApp("/admin");
  expect(await screen.findByText(/Nothing has been run yet/)).toBeInTheDocument();
  await expectAccessible();
  empty.unmount();

  showAll();
  expect(await screen.findByRole("progressbar")).toBeInTheDocument();
  expect(await screen.findByRole("link", { name: "ada" })).toBeInTheDocument();
  await expectAccessible();
});
