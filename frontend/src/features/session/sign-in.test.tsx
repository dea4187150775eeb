import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { renderApp, type Scheme, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";
import { readNext } from "./next-address";

const session = "/api/v1/session";

async function fillIn(password = "correct horse battery") {
  await userEvent.type(await screen.findByLabelText("Username"), "ada");
  await userEvent.type(screen.getByLabelText("Password"), `${password}{Enter}`);
}

function dress(scheme: Scheme) {
  localStorage.setItem("dynabench-colour-scheme", scheme);
}

test("signing in leads back to where one came from", async () => {
  server.use(answer("post", session, makeSession({ user: makeUser() })));
  const { router } = renderApp("/sign-in?next=%2Fpassword-reset%2Fabc%3Fx%3D1");
  await fillIn();
  await screen.findByRole("heading", { name: "Set a new password" });
  expect(router.state.location.href).toBe("/password-reset/abc?x=1");
  expect(await screen.findByRole("button", { name: "Menu of ada" })).toBeInTheDocument();
});

test.each(["//evil.example/x", "https://evil.example", "/\\evil.example", "x", "", 1])(
  "signing in never leads to %s",
  (next) => {
    expect(readNext({ next })).toEqual({});
  },
);

test.each([
  [422, "people.wrong_password", "Name and password do not match. Check both and try again."],
  [429, "people.too_many_sign_ins", "Too many failed attempts. Try again in 9 minutes."],
])(
  "a refused sign-in (%i) says why and asks for the password again",
  async (status, code, detail) => {
    server.use(refuse("post", session, { status, code, detail }));
    renderApp("/sign-in");
    await fillIn("wrong");
    expect(await screen.findByRole("alert")).toHaveTextContent(detail);
    expect(screen.getByLabelText("Username")).toHaveValue("ada");
    expect(screen.getByLabelText("Password")).toHaveFocus();
    expect(screen.getByLabelText("Password")).toHaveValue("");
  },
);

test("empty fields are named", async () => {
  renderApp("/sign-in");
  await userEvent.click(await screen.findByRole("button", { name: "Sign in" }));
  expect(await screen.findByText("Type your username.")).toBeInTheDocument();
  expect(screen.getByText("Type your password.")).toBeInTheDocument();
});

test("who is signed in already is told so", async () => {
  server.use(answer("get", session, makeSession({ user: makeUser() })));
  renderApp("/sign-in");
  expect(await screen.findByText("You are signed in as ada.")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Go on" })).toBeInTheDocument();
});

test("where accounts are by invitation, the page says so", async () => {
  server.use(answer("get", session, makeSession({ registration: "invited" })));
  renderApp("/sign-in");
  expect(await screen.findByText(/Accounts here are by invitation/)).toBeInTheDocument();
});

test.each(schemes)("loading, failed and full are accessible in %s", async (scheme) => {
  dress(scheme);
  server.use(stall("get", session));
  const loading = renderApp("/sign-in");
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  await expectAccessible();
  loading.unmount();

  server.use(refuse("get", session));
  const failed = renderApp("/sign-in");
  expect(await screen.findByRole("button", { name: "Try again" })).toBeInTheDocument();
  await expectAccessible();
  failed.unmount();

  server.use(answer("get", session, makeSession()));
  renderApp("/sign-in");
  await screen.findByLabelText("Username");
  await expectAccessible();
});
