import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeJoinLink, makeMember } from "../../mocks/factories/console";
import { makeTask } from "../../mocks/factories/task";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const members = "/api/v1/tasks/:slug/members";
const links = "/api/v1/tasks/:slug/join-links";
const page = "/tasks/nli/owner/members";

/** Keep what is put, deleted or changed as "METHOD last/part body". */
function keepChanges() {
  const changes: string[] = [];
  const keep = async ({ request }: { request: Request }) => {
    const body = await request.text();
    changes.push(`${request.method} ${new URL(request.url).pathname.slice(14)} ${body}`.trim());
    if (request.method === "DELETE") return new HttpResponse(null, { status: 204 });
    return HttpResponse.json(request.method === "PATCH" ? makeTask() : makeMember());
  };
  server.use(
    http.put(`*${members}/:username`, keep),
    http.delete(`*${members}/:username`, keep),
    http.delete(`*${links}/:link_id`, keep),
    http.patch("*/api/v1/tasks/:slug", keep),
  );
  return changes;
}

beforeEach(() => {
  serveConsole();
  server.use(answer("get", members, [makeMember()]), answer("get", links, [makeJoinLink()]));
});

test("a member is added, given another role and removed after one question", async () => {
  const changes = keepChanges();
  renderApp(page);
  await userEvent.type(await screen.findByLabelText("Username"), "cem{Enter}");
  await waitFor(() => expect(changes).toEqual(['PUT nli/members/cem {"role":"annotator"}']));
  await userEvent.selectOptions(screen.getByLabelText("Role of bea"), "Owner");
  await waitFor(() => expect(changes.at(-1)).toBe('PUT nli/members/bea {"role":"owner"}'));
  await userEvent.click(screen.getByRole("button", { name: "Remove" }));
  const dialog = await screen.findByRole("dialog");
  expect(dialog).toHaveTextContent("bea loses the role in this task");
  await userEvent.click(within(dialog).getByRole("button", { name: "Remove" }));
  await waitFor(() => expect(changes.at(-1)).toBe("DELETE nli/members/bea"));
});

test("nobody of that name is said beside the form, and the name stays", async () => {
  server.use(
    refuse("put", `${members}/:username`, { status: 404, detail: "There is nobody named cam." }),
  );
  renderApp(page);
  const name = await screen.findByLabelText("Username");
  await userEvent.type(name, "cam{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("There is nobody named cam.");
  expect(name).toHaveValue("cam");
});

test("owners note whom a join link is for", async () => {
  const bodies: unknown[] = [];
  server.use(
    answer("get", links, [makeJoinLink({ note: "for the March class" })]),
    http.post(`*${links}`, async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ ...makeJoinLink(), path: "/join/secret-1" }, { status: 201 });
    }),
  );
  renderApp(page);
  expect(await screen.findByText("for the March class · ", { exact: false })).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText(/^Whom it is for/), "for April");
  await userEvent.click(screen.getByRole("button", { name: "Make a join link" }));
  await waitFor(() =>
    expect(bodies).toEqual([{ role: "annotator", expires_in_days: 14, note: "for April" }]),
  );
});

test("a join link is shown once, and can be revoked", async () => {
  const changes = keepChanges();
  server.use(answer("post", links, { ...makeJoinLink(), path: "/join/secret-1" }, 201));
  renderApp(page);
  await userEvent.click(await screen.findByRole("button", { name: "Make a join link" }));
  expect(await screen.findByText(/\/join\/secret-1$/)).toBeInTheDocument();
  expect(screen.getByText("Copy the link now; it is shown this once.")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Revoke" }));
  const dialog = await screen.findByRole("dialog");
  await userEvent.click(within(dialog).getByRole("button", { name: "Revoke" }));
  await waitFor(() => expect(changes).toEqual([`DELETE nli/join-links/${makeJoinLink().id}`]));
});

test("a join link names the address that the operator has said", async () => {
  const url = "https://bench.example.org/join/secret-1";
  server.use(
    answer("post", links, { ...makeJoinLink(), path: "/join/secret-1", public_url: url }, 201),
  );
  renderApp(page);
  await userEvent.click(await screen.findByRole("button", { name: "Make a join link" }));
  expect(await screen.findByText(url)).toBeInTheDocument();
});

test("a task is closed to all but its members", async () => {
  const changes = keepChanges();
  renderApp(page);
  await userEvent.click(await screen.findByRole("switch", { name: /Everybody who is signed in/ }));
  await waitFor(() => expect(changes).toEqual(['PATCH nli {"is_open_to_everyone":false}']));
});

test("visitors no longer try the models of an open round", async () => {
  const changes = keepChanges();
  renderApp(page);
  await userEvent.click(await screen.findByRole("switch", { name: /Visitors may try/ }));
  await waitFor(() => expect(changes).toEqual(['PATCH nli {"visitors_may_try":false}']));
});

test("the list says when it loads, failed or is empty", async () => {
  server.use(stall("get", members));
  const first = renderApp(page);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();

  server.use(refuse("get", members));
  const second = renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  server.use(answer("get", members, []), answer("get", links, []));
  renderApp(page);
  expect(await screen.findByText("Nobody has a role in this task yet.")).toBeInTheDocument();
  expect(await screen.findByText("There is no join link.")).toBeInTheDocument();
});

test.each(schemes)("the page is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  renderApp(page);
  await screen.findByText("bea");
  await screen.findByText(/used 2 times/);
  await expectAccessible();
});
