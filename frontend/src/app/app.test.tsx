import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";

import { expectAccessible } from "../mocks/axe";
import { makeSession, makeUser } from "../mocks/factories/session";
import { makeTaskSummary } from "../mocks/factories/task";
import { renderApp, schemes } from "../mocks/render";
import { server } from "../mocks/server";
import { answer, refuse, stall } from "../mocks/wire";

const tasks = "/api/v1/tasks";

beforeEach(() => {
  server.use(answer("get", "/api/v1/current-rounds", []));
});

test("the first page lists the tasks", async () => {
  server.use(answer("get", tasks, [makeTaskSummary()]));
  renderApp("/");
  const link = await screen.findByRole("link", { name: "Natural language inference" });
  expect(link).toHaveAttribute("href", "/tasks/nli");
  expect(document.title).toBe("Tasks · Dynabench");
});

test("the first page loads, and says when it is empty or failed", async () => {
  server.use(stall("get", tasks));
  const { unmount } = renderApp("/");
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  unmount();

  server.use(answer("get", tasks, []));
  const { unmount: unmountEmpty } = renderApp("/");
  expect(await screen.findByText("No task is open yet.")).toBeInTheDocument();
  unmountEmpty();

  server.use(refuse("get", tasks));
  renderApp("/");
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
});

test.each(schemes)("the first page is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  server.use(answer("get", tasks, [makeTaskSummary()]));
  renderApp("/");
  await screen.findByRole("link", { name: "Natural language inference" });
  await screen.findByRole("link", { name: "Sign in" });
  expect(document.documentElement).toHaveAttribute("data-mantine-color-scheme", scheme);
  await expectAccessible();
});

test("a change of page moves the focus to its heading; the first page leaves it", async () => {
  server.use(answer("get", tasks, []));
  const { router } = renderApp("/");
  await screen.findByText("No task is open yet.");
  expect(document.body).toHaveFocus();
  await router.navigate({ to: "/nowhere" as "/" });
  const heading = await screen.findByRole("heading", { name: "There is no such page" });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(document.title).toBe("There is no such page · Dynabench");
});

test("the keyboard reaches the content first", async () => {
  server.use(answer("get", tasks, []));
  renderApp("/");
  await screen.findByText("No task is open yet.");
  await userEvent.tab();
  expect(screen.getByRole("link", { name: "Skip to the content" })).toHaveFocus();
});

test("the colour scheme is changed and remembered until it is the system's again", async () => {
  server.use(answer("get", tasks, []));
  renderApp("/");
  await userEvent.click(await screen.findByRole("button", { name: "Use dark colours" }));
  expect(document.documentElement).toHaveAttribute("data-mantine-color-scheme", "dark");
  expect(localStorage.getItem("dynabench-colour-scheme")).toBe("dark");
  await userEvent.click(screen.getByRole("button", { name: "Use light colours" }));
  expect(localStorage.getItem("dynabench-colour-scheme")).toBe("auto");
});

test("the question mark lists the keys", async () => {
  server.use(answer("get", tasks, []));
  renderApp("/");
  await screen.findByText("No task is open yet.");
  await userEvent.keyboard("?");
  const dialog = await screen.findByRole("dialog", { name: "Keys on this page" });
  expect(dialog).toHaveTextContent("Keys");
  await userEvent.click(screen.getByRole("switch", { name: "Single keys act at once" }));
  expect(localStorage.getItem("dynabench-single-keys")).toBe("off");
  await expectAccessible();
});

test("who is signed in finds the way out", async () => {
  server.use(
    answer("get", tasks, []),
    answer("get", "/api/v1/session", makeSession({ user: makeUser() })),
    answer("delete", "/api/v1/session", null, 204),
  );
  renderApp("/");
  await userEvent.click(await screen.findByRole("button", { name: "Menu of ada" }));
  const out = await screen.findByRole("menuitem", { name: "Sign out" });
  server.use(answer("get", "/api/v1/session", makeSession()));
  await userEvent.click(out);
  expect(await screen.findByRole("link", { name: "Sign in" })).toBeInTheDocument();
});
