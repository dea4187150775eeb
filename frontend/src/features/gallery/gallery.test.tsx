import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import type { Schemas } from "../../lib/api-client";
import { expectAccessible } from "../../mocks/axe";
import { makeJob } from "../../mocks/factories/person";
import { makeSession, makeUser } from "../../mocks/factories/session";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const gallery = "/api/v1/gallery";

function makeEntry(given: Partial<Schemas["GalleryEntryRead"]> = {}): Schemas["GalleryEntryRead"] {
  return {
    name: "translation-spanish",
    title: "English to Spanish",
    description: "Write what a sentence says in Spanish.",
    language: "en",
    material: "text",
    principal_metric: "chrf_pp",
    contexts: 38,
    has_content_warning: false,
    tasks: [],
    ...given,
  };
}

beforeEach(() => {
  server.use(
    answer("get", "/api/v1/session", makeSession({ user: makeUser({ is_admin: true }) })),
    answer("get", gallery, [makeEntry()]),
  );
});

test("a task is added under a name of one's own, with its progress and the way to it", async () => {
  const sent: unknown[] = [];
  let isDone = false;
  server.use(
    http.get(`*${gallery}`, () =>
      HttpResponse.json([makeEntry({ tasks: isDone ? ["translation"] : [] })]),
    ),
    http.post(`*${gallery}/:name`, async ({ params, request }) => {
      sent.push(params.name, await request.json());
      return HttpResponse.json(makeJob({ name: "gallery.add_task" }), { status: 202 });
    }),
    http.get("*/api/v1/jobs/:job_id", () => {
      const job = makeJob({ name: "gallery.add_task", state: isDone ? "done" : "running" });
      isDone = true;
      return HttpResponse.json(job);
    }),
  );
  renderApp("/gallery");
  const card = await screen.findByRole("article", { name: "English to Spanish" });
  expect(within(card).getByText("Text · chrf_pp · 38 contexts")).toBeInTheDocument();
  const name = within(card).getByLabelText(/Short name here/);
  await userEvent.clear(name);
  await userEvent.type(name, "translation");
  await userEvent.click(within(card).getByRole("button", { name: "Add English to Spanish" }));
  expect(
    await within(card).findByRole("progressbar", { name: "Adding English to Spanish" }),
  ).toBeInTheDocument();
  const open = await within(card).findByRole("link", { name: "Open the task" }, { timeout: 5000 });
  expect(open).toHaveAttribute("href", "/tasks/translation");
  expect(sent).toEqual(["translation-spanish", { slug: "translation" }]);
});

test("a name that is taken is refused with the reason, and nothing is lost", async () => {
  server.use(
    refuse("post", `${gallery}/:name`, {
      status: 409,
      code: "tasks.slug_taken",
      detail: "There is a task of this name.",
    }),
  );
  renderApp("/gallery");
  await userEvent.click(await screen.findByRole("button", { name: "Add English to Spanish" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("There is a task of this name.");
  expect(screen.getByLabelText(/Short name here/)).toHaveValue("translation-spanish");
});

test("the list of tasks leads administrators here, and nobody else", async () => {
  server.use(answer("get", "/api/v1/tasks", []), answer("get", "/api/v1/current-rounds", []));
  const first = renderApp("/");
  expect(await screen.findByRole("link", { name: "Add a task" })).toHaveAttribute(
    "href",
    "/gallery",
  );
  first.unmount();
  server.use(answer("get", "/api/v1/session", makeSession()));
  const second = renderApp("/");
  expect(await screen.findByRole("heading", { level: 1 })).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Add a task" })).not.toBeInTheDocument();
  second.unmount();
  renderApp("/gallery");
  expect(await screen.findByText("Administrators create tasks.")).toBeInTheDocument();
  expect(screen.queryByRole("article")).not.toBeInTheDocument();
});

test("the page says when it loads, failed or has nothing", async () => {
  server.use(stall("get", gallery));
  const first = renderApp("/gallery");
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();

  server.use(refuse("get", gallery));
  const second = renderApp("/gallery");
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  server.use(answer("get", gallery, []));
  renderApp("/gallery");
  expect(await screen.findByText(/comes without a gallery/)).toBeInTheDocument();
});

test.each(schemes)("the page is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  server.use(
    answer("get", gallery, [
      makeEntry(),
      makeEntry({ name: "b", title: "B", has_content_warning: true, tasks: ["b", "b-2"] }),
    ]),
  );
  renderApp("/gallery");
  expect(await screen.findByRole("link", { name: "b-2" })).toBeInTheDocument();
  const again = screen.getByRole("article", { name: "B" });
  expect(within(again).queryByRole("textbox")).not.toBeInTheDocument();
  await expectAccessible();
  await userEvent.click(within(again).getByRole("button", { name: "Add it again: B" }));
  expect(within(again).getByRole("textbox", { name: /Short name here/ })).toHaveValue("");
  await expectAccessible();
});
