import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { makeCredit, makeProfile, makeToken } from "../../mocks/factories/person";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const profile = "/api/v1/users/:username";
const credit = "/api/v1/users/:username/credit";
const tokens = "/api/v1/users/me/tokens";

function showOwn() {
  server.use(
    answer("get", profile, makeProfile()),
    answer("get", credit, [makeCredit(), makeCredit({ round_number: 2, verified_fooled: 4 })]),
    answer("get", tokens, [makeToken()]),
    answer("get", "/api/v1/session", makeSession({ user: makeUser() })),
  );
  return renderApp("/users/ada");
}

test.each(schemes)("a visitor sees the credit, validated first, in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  server.use(
    answer("get", profile, makeProfile()),
    answer("get", credit, [makeCredit(), makeCredit({ round_number: 2, verified_fooled: 4 })]),
  );
  renderApp("/users/ada");
  await screen.findByRole("heading", { name: "Ada" });
  const terms = await screen.findAllByRole("term");
  expect(terms[0]).toHaveTextContent("Validated fooling examples");
  expect(screen.getAllByRole("definition")[0]).toHaveTextContent("7");
  expect(screen.getByRole("table", { name: /Round by round/ })).toBeInTheDocument();
  expect(screen.queryByRole("heading", { name: "API tokens" })).not.toBeInTheDocument();
  await expectAccessible();
});

test.each(schemes)("loading, empty and failed are accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  server.use(stall("get", profile), stall("get", credit));
  const loading = renderApp("/users/ada");
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  await expectAccessible();
  loading.unmount();

  server.use(answer("get", profile, makeProfile()), answer("get", credit, []));
  const empty = renderApp("/users/ada");
  expect(await screen.findByText("ada has not written or judged anything yet.")).toBeVisible();
  await expectAccessible();
  empty.unmount();

  const detail = "Nobody here is called “ada”.";
  server.use(refuse("get", profile, { status: 404, code: "people.user_not_found", detail }));
  renderApp("/users/ada");
  expect(await screen.findByRole("alert")).toHaveTextContent(detail);
  await expectAccessible();
});

test("the own name is changed", async () => {
  showOwn();
  server.use(answer("patch", "/api/v1/users/me", makeUser({ display_name: "Ada L." })));
  const field = await screen.findByLabelText("Name shown to others");
  await userEvent.clear(field);
  await userEvent.type(field, "Ada L.{Enter}");
  expect(await screen.findByText("The name is saved.")).toBeInTheDocument();
});

test("the password is changed only with the old one", async () => {
  showOwn();
  const detail = "Name and password do not match. Check both and try again.";
  const path = "/api/v1/users/me/password";
  server.use(refuse("post", path, { status: 422, code: "people.wrong_password", detail }));
  await userEvent.type(await screen.findByLabelText("Current password"), "wrong");
  await userEvent.type(screen.getByLabelText("New password"), "correct horse{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent(detail);
  server.use(answer("post", path, null, 204));
  await userEvent.click(screen.getByRole("button", { name: "Change the password" }));
  expect(await screen.findByText(/The password is changed/)).toBeInTheDocument();
  expect(screen.getByLabelText("New password")).toHaveValue("");
});

test("API tokens go with the old password unless they are kept", async () => {
  showOwn();
  const sent: unknown[] = [];
  server.use(
    http.post("*/api/v1/users/me/password", async ({ request }) => {
      sent.push(await request.json());
      return new HttpResponse(null, { status: 204 });
    }),
  );
  const change = async (keep: boolean) => {
    await userEvent.type(await screen.findByLabelText("Current password"), "old one");
    if (keep) await userEvent.click(screen.getByRole("checkbox", { name: "Keep my API tokens" }));
    await userEvent.type(screen.getByLabelText("New password"), "correct horse{Enter}");
  };
  await change(false);
  expect(await screen.findByText(/API tokens are revoked/)).toBeInTheDocument();
  await change(true);
  expect(await screen.findByText(/API tokens stay good/)).toBeInTheDocument();
  expect(sent).toMatchObject([{ keep_tokens: false }, { keep_tokens: true }]);
});

test("a token's secret is shown once, and a token is revoked after asking", async () => {
  showOwn();
  server.use(answer("post", tokens, { ...makeToken(), secret: "dyb_secret" }, 201));
  await userEvent.type(await screen.findByRole("textbox", { name: "Token" }), "laptop{Enter}");
  expect(await screen.findByText("dyb_secret")).toBeInTheDocument();
  await expectAccessible();

  server.use(answer("delete", `${tokens}/:token_id`, null, 204), answer("get", tokens, []));
  await userEvent.click(screen.getByRole("button", { name: "Revoke laptop" }));
  const dialog = await screen.findByRole("dialog", { name: "Revoke laptop" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Revoke laptop" }));
  expect(await screen.findByText("You have no token.")).toBeInTheDocument();
});

test("signing out asks for nothing that only the one who left may see", async () => {
  showOwn();
  const signOut = await screen.findByRole("button", { name: "Sign out" });
  await screen.findByRole("heading", { name: "API tokens" });
  const asked: string[] = [];
  server.events.on("request:start", ({ request }) => asked.push(new URL(request.url).pathname));
  server.use(
    answer("delete", "/api/v1/session", null, 204),
    answer("get", "/api/v1/session", makeSession()),
  );
  await userEvent.click(signOut);
  await waitFor(() =>
    expect(screen.queryByRole("heading", { name: "API tokens" })).not.toBeInTheDocument(),
  );
  await waitFor(() => expect(asked).toContain("/api/v1/users/ada/credit"));
  server.events.removeAllListeners();
  expect(asked).not.toContain(tokens);
});
