import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { makeTask } from "../../mocks/factories/task";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer } from "../../mocks/wire";

const page = "/tasks/nli/owner/config";
const configs = "/api/v1/tasks/:slug/configs";
const checks = "/api/v1/task-config-checks";

function makeVersion(given: Partial<Schemas["ConfigVersionRead"]>): Schemas["ConfigVersionRead"] {
  return {
    version: 1,
    config: "title: First\ninput: []\n",
    created_at: "2026-01-05T09:00:00Z",
    created_by: "ada",
    is_active: false,
    ...given,
  };
}

const active = makeVersion({ version: 2, config: "title: Second\ninput: []\n", is_active: true });
const good = { problems: [], config: makeTask().config, frozen_changes: [] };

/** What somebody wrote and did not save, as it lies in the browser. */
function leaveText(text: string) {
  localStorage.setItem(
    `dynabench-config:${makeUser().username}:nli`,
    JSON.stringify({ text, version: 2 }),
  );
}

function keepSent(method: "post", path: string, body: Record<string, unknown>) {
  const sent: unknown[] = [];
  server.use(
    http[method](`*${path}`, async ({ request }) => {
      const text = await request.text();
      sent.push(text === "" ? new URL(request.url).pathname : JSON.parse(text));
      return HttpResponse.json(body, { status: 201 });
    }),
  );
  return sent;
}

beforeEach(() => {
  // A layout, which jsdom lacks and the editor measures.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  serveConsole();
  server.use(
    answer("get", configs, [active, makeVersion({})]),
    answer("get", "/api/v1/task-config.schema.json", { type: "object", properties: {} }),
    answer("post", checks, good),
  );
});

test.each(schemes)("a config stands with its preview and versions in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  renderApp(page);
  expect(await screen.findByRole("textbox", { name: "Task config, as YAML" })).toHaveTextContent(
    "title: Second",
  );
  expect(await screen.findByText("Nothing is wrong.")).toBeInTheDocument();
  const preview = screen.getByRole("region", { name: "Preview" });
  expect(within(preview).getByLabelText("Relation to the premise")).toBeInTheDocument();
  const versions = screen.getByRole("list", { name: "Versions, newest first" });
  expect(within(versions).getAllByRole("listitem")).toHaveLength(2);
  expect(screen.getByText("This is the active version.")).toBeInTheDocument();
  await expectAccessible();
});

test("an earlier version is used again after a question that says what changes", async () => {
  const sent = keepSent("post", `${configs}/:version/activate`, makeTask());
  renderApp(page);
  await userEvent.click(await screen.findByRole("button", { name: "Activate version 1" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("This part changes: title.");
  expect(dialog).toHaveTextContent("The way back is to activate version 2 again.");
  await userEvent.click(within(dialog).getByRole("button", { name: "Activate version 1" }));
  await waitFor(() => expect(sent).toEqual(["/api/v1/tasks/nli/configs/1/activate"]));
});

test("problems are listed with their lines, and nothing can be saved", async () => {
  leaveText("titel: x\n");
  const problem = {
    path: "titel",
    line: 1,
    column: 1,
    message: "Not known.",
    suggestion: "title?",
  };
  server.use(answer("post", checks, { problems: [problem], config: null, frozen_changes: [] }));
  renderApp(page);
  expect(
    await screen.findByRole("button", { name: /Line 1 titel Not known. title\?/ }),
  ).toBeEnabled();
  expect(screen.getByText("1 problem")).toBeInTheDocument();
  expect(screen.getByText("You are changing version 2.", { exact: false })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Save as a version" })).toBeDisabled();
  expect(screen.queryByRole("button", { name: "Save and activate" })).not.toBeInTheDocument();
  await expectAccessible();
});

test("what was left unsaved is there again, is saved once, and then no longer kept", async () => {
  const text = "title: Third\ninput: []\n";
  leaveText(text);
  const sent = keepSent("post", configs, makeTask());
  renderApp(page);
  const save = await screen.findByRole("button", { name: "Save as a version" });
  await waitFor(() => expect(save).toBeEnabled());
  server.use(answer("get", configs, [makeVersion({ version: 3, config: text }), active]));
  await userEvent.click(save);
  expect(await screen.findByText(/This is version 3/)).toBeInTheDocument();
  expect(sent).toEqual([{ config: text, activate: false }]);
  expect(localStorage.getItem(`dynabench-config:${makeUser().username}:nli`)).toBeNull();
});

test("another shape of an active task can be kept but not used", async () => {
  leaveText("title: Second\ninput: [x]\n");
  server.use(answer("post", checks, { ...good, frozen_changes: ["input.x"] }));
  renderApp(page);
  expect(await screen.findByText(/This text changes input.x/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Save as a version" })).toBeEnabled();
  expect(screen.queryByRole("button", { name: "Save and activate" })).not.toBeInTheDocument();
});

test("whoever leaves unsaved text is asked, and may drop it", async () => {
  leaveText("title: Third\n");
  const { router } = renderApp(page);
  await userEvent.click(await screen.findByRole("link", { name: "Members" }));
  const dialog = await screen.findByRole("dialog", { name: "Leave without saving a version?" });
  expect(router.state.location.pathname).toBe(page);
  server.use(answer("get", "/api/v1/tasks/:slug/members", []));
  server.use(answer("get", "/api/v1/tasks/:slug/join-links", []));
  await userEvent.click(within(dialog).getByRole("button", { name: "Discard it and leave" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/tasks/nli/owner/members"));
  expect(localStorage.getItem(`dynabench-config:${makeUser().username}:nli`)).toBeNull();
});

test("an administrator makes a task from the example, under a name that can be one", async () => {
  server.use(answer("get", "/api/v1/session", makeSession({ user: makeUser({ is_admin: true }) })));
  const sent = keepSent("post", "/api/v1/tasks", makeTask());
  renderApp("/new-task");
  const slug = await screen.findByLabelText("Short name");
  await userEvent.type(slug, "Bad name");
  expect(screen.getByText(/Use 2 to 64 small letters/)).toBeInTheDocument();
  const create = screen.getByRole("button", { name: "Create the draft" });
  expect(create).toBeDisabled();
  expect(screen.getByText("Give the task a short name first.")).toBeInTheDocument();
  await userEvent.clear(slug);
  await userEvent.type(slug, "news");
  await waitFor(() => expect(create).toBeEnabled());
  expect(screen.queryByText("Give the task a short name first.")).toBeNull();
  await userEvent.click(create);
  await waitFor(() => expect(sent).toEqual([expect.objectContaining({ slug: "news" })]));
  await expectAccessible();
});

test("who is no administrator is told who makes tasks", async () => {
  renderApp("/new-task");
  expect(await screen.findByText("Administrators create tasks.")).toBeInTheDocument();
});
