import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const session = "/api/v1/session";
const links = "/api/v1/join-links/:secret";

test("a visitor signs in first and comes back", async () => {
  renderApp("/join/abc");
  const content = await screen.findByText("Sign in to join");
  const panel = content.parentElement ?? document.body;
  const [signIn] = [...panel.querySelectorAll("a")];
  expect(signIn).toHaveAttribute("href", "/sign-in?next=%2Fjoin%2Fabc");
  await expectAccessible();
});

test.each(schemes)("joining says which task and role it gave, in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  server.use(
    answer("get", session, makeSession({ user: makeUser() })),
    answer("post", links, { task_slug: "nli", role: "expert" }),
  );
  renderApp("/join/abc");
  await userEvent.click(await screen.findByRole("button", { name: "Join" }));
  expect(
    await screen.findByText("You are now in the task “nli” as an expert."),
  ).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Go to the task" })).toHaveAttribute(
    "href",
    "/tasks/nli",
  );
  await expectAccessible();
});

test("a link that does not work says why", async () => {
  const detail = "This link was taken back. Ask the task's owner for a new one.";
  server.use(
    answer("get", session, makeSession({ user: makeUser() })),
    refuse("post", links, { status: 404, code: "tasks.join_link_invalid", detail }),
  );
  renderApp("/join/abc");
  await userEvent.click(await screen.findByRole("button", { name: "Join" }));
  expect(await screen.findByRole("alert")).toHaveTextContent(detail);
  expect(screen.queryByRole("button", { name: "Join" })).not.toBeInTheDocument();
  expect(screen.getByRole("link", { name: "To the list of tasks" })).toBeInTheDocument();
});

test.each(schemes)("loading and failed are accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  server.use(stall("get", session));
  const loading = renderApp("/join/abc");
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  await expectAccessible();
  loading.unmount();

  server.use(refuse("get", session));
  renderApp("/join/abc");
  expect(await screen.findByRole("button", { name: "Try again" })).toBeInTheDocument();
  await expectAccessible();
});
