import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { beforeEach, expect, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { serveConsole } from "../../mocks/console-wire";
import { makeContext } from "../../mocks/factories/compose";
import { renderApp, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { answer, refuse, stall } from "../../mocks/wire";

const contexts = "/api/v1/tasks/:slug/contexts";
const page = "/tasks/nli/owner/contexts";

const listOf = (count: number) => ({
  items: Array.from({ length: count }, (_, index) =>
    makeContext({ id: String(index), content: { premise: `Premise ${index + 1}.` }, tag: "news" }),
  ),
  next_cursor: null,
});

function keepUploads() {
  const uploads: string[] = [];
  server.use(
    http.post(`*${contexts}`, async ({ request }) => {
      uploads.push(await request.text());
      return HttpResponse.json({ added: 2, already_there: 1 });
    }),
  );
  return uploads;
}

async function choose(name: string, content: string, type: string) {
  await screen.findByRole("button", { name: "Choose a file…" });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (input === null) throw new Error("There is no file input.");
  await userEvent.upload(input, new File([content], name, { type }));
}

beforeEach(() => {
  serveConsole();
  server.use(answer("get", contexts, listOf(2)));
});

test("a file of JSON lines is sent as it is, and what came of it is told", async () => {
  const uploads = keepUploads();
  renderApp(page);
  const line = '{"context": {"premise": "It rains."}}';
  await choose("some.jsonl", line, "application/x-ndjson");
  expect(await screen.findByText("2 added, 1 were already there.")).toBeInTheDocument();
  expect(uploads).toEqual([line]);
});

test("a CSV file is sent as JSON lines", async () => {
  const uploads = keepUploads();
  renderApp(page);
  await choose("some.csv", "premise,tag\nIt rains.,news\n", "text/csv");
  await waitFor(() => expect(uploads).toHaveLength(1));
  expect(JSON.parse(uploads[0] ?? "")).toEqual({
    context: { premise: "It rains." },
    tag: "news",
    metadata: {},
  });
});

test("a CSV file without a column of the task is not sent", async () => {
  const uploads = keepUploads();
  renderApp(page);
  await choose("some.csv", "text\nIt rains.\n", "text/csv");
  expect(await screen.findByRole("alert")).toHaveTextContent("lacks these columns: premise");
  expect(uploads).toEqual([]);
});

test("wrong lines are named as lines of the chosen file", async () => {
  server.use(
    refuse("post", contexts, {
      status: 422,
      code: "contexts.file_invalid",
      facts: { problems: [{ line: 2, message: "“premise” is empty." }], more: 0 },
    }),
  );
  renderApp(page);
  await choose("some.csv", 'premise\n"Two\nlines."\n"",x\n', "text/csv");
  const table = await screen.findByRole("table", { name: "What is wrong in the file" });
  // The second record begins in the file's fourth line.
  expect(within(table).getByRole("row", { name: /4.*is empty/ })).toBeInTheDocument();
  expect(screen.getByRole("alert")).toHaveTextContent("1 line is wrong, so nothing was stored.");
});

test("contexts are chosen by tag and retired after one question", async () => {
  let asked: string | null = null;
  const retired: unknown[] = [];
  server.use(
    http.get(`*${contexts}`, ({ request }) => {
      asked = new URL(request.url).searchParams.get("tag");
      return HttpResponse.json(listOf(1));
    }),
    http.delete("*/api/v1/contexts/:context_id", ({ params }) => {
      retired.push(params.context_id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  renderApp(page);
  await userEvent.selectOptions(await screen.findByLabelText("Tag"), "news");
  await waitFor(() => expect(asked).toBe("news"));
  await userEvent.click(await screen.findByRole("button", { name: "Retire" }));
  const dialog = await screen.findByRole("dialog", { name: "Retire" });
  expect(retired).toEqual([]);
  await userEvent.click(within(dialog).getByRole("button", { name: "Retire" }));
  await waitFor(() => expect(retired).toEqual(["0"]));
});

test("the list says when it loads, failed or is empty", async () => {
  server.use(stall("get", contexts));
  const first = renderApp(page);
  expect(await screen.findByText("Loading…")).toBeInTheDocument();
  first.unmount();

  server.use(refuse("get", contexts));
  const second = renderApp(page);
  expect(await screen.findByRole("alert")).toHaveTextContent("Request req-1");
  second.unmount();

  server.use(answer("get", contexts, listOf(0)));
  renderApp(page);
  expect(await screen.findByText("This task has no contexts yet.")).toBeInTheDocument();
});

test.each(schemes)("the page is accessible in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  renderApp(page);
  await screen.findByText("Premise 1.");
  await expectAccessible();
});
