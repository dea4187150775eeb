import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const session = "/api/v1/session";
const users = "/api/v1/users";
const resets = "/api/v1/password-resets/:secret";

async function fillIn() {
  await userEvent.type(await screen.findByLabelText("Username"), "ada");
  await userEvent.type(screen.getByLabelText("Password"), "correct horse battery{Enter}");
}

test("an invitation makes an account and goes on", async () => {
  const sent: unknown[] = [];
  server.use(
    answer("get", session, makeSession({ registration: "invited" })),
    http.post(`*${users}`, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(makeSession({ user: makeUser() }), { status: 201 });
    }),
  );
  const { router } = renderApp("/sign-up?invitation=abc&next=%2Fpassword-reset%2Fx");
  await fillIn();
  await screen.findByRole("heading", { name: "Set a new password" });
  expect(router.state.location.pathname).toBe("/password-reset/x");
  expect(sent).toEqual([
    {
      username: "ada",
      display_name: "",
      password: "correct horse battery",
      invitation: "abc",
    },
  ]);
});

test("a taken name is said beside its field", async () => {
  const detail = "“ada” is taken. Choose another name.";
  server.use(
    refuse("post", users, {
      status: 409,
      code: "people.username_taken",
      detail,
      fields: { username: detail },
    }),
  );
  renderApp("/sign-up");
  await fillIn();
  expect(await screen.findByText(detail)).toBeInTheDocument();
  expect(screen.getByLabelText("Username")).toBeInvalid();
  expect(screen.queryByRole("alert")).not.toBeInTheDocument();
});

test("an invitation that is used up is said in one line", async () => {
  const detail = "This invitation was used, has expired or was taken back. Ask for a new one.";
  server.use(refuse("post", users, { status: 404, code: "people.invitation_invalid", detail }));
  renderApp("/sign-up?invitation=old");
  await fillIn();
  expect(await screen.findByRole("alert")).toHaveTextContent(detail);
});

test("what the server would refuse is said before it is sent", async () => {
  renderApp("/sign-up");
  await userEvent.type(await screen.findByLabelText("Username"), "ada l");
  await userEvent.type(screen.getByLabelText("Password"), "short{Enter}");
  expect(await screen.findByText(/a letter or digit first/)).toBeInTheDocument();
  expect(screen.getByText("At least 10 characters.")).toBeInTheDocument();
});

test.each(schemes)("its four states are accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  server.use(stall("get", session));
  const loading = renderApp("/sign-up");
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  await expectAccessible();
  loading.unmount();

  server.use(refuse("get", session));
  const failed = renderApp("/sign-up");
  expect(await screen.findByRole("button", { name: "Try again" })).toBeInTheDocument();
  await expectAccessible();
  failed.unmount();

  server.use(answer("get", session, makeSession({ registration: "invited" })));
  const empty = renderApp("/sign-up");
  expect(await screen.findByText("Accounts here are by invitation")).toBeInTheDocument();
  await expectAccessible();
  empty.unmount();

  server.use(answer("get", session, makeSession()));
  renderApp("/sign-up");
  await screen.findByLabelText("Username");
  await expectAccessible();
});

test.each(schemes)("a password link sets a password, accessibly in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  server.use(answer("post", resets, null, 204));
  renderApp("/password-reset/abc");
  await userEvent.type(await screen.findByLabelText("New password"), "correct horse{Enter}");
  expect(await screen.findByText("The new password is set.")).toBeInTheDocument();
  await expectAccessible();
});

test("a password link that is used up says so and keeps what was typed", async () => {
  const detail = "This link was used or has expired. Ask an administrator for a new one.";
  server.use(
    refuse("post", resets, { status: 404, code: "people.password_reset_invalid", detail }),
  );
  renderApp("/password-reset/abc");
  await userEvent.type(await screen.findByLabelText("New password"), "correct horse{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent(detail);
  expect(screen.getByLabelText("New password")).toHaveValue("correct horse");
  await expectAccessible();
});
