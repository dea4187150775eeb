import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import type { DrawnField } from "../../lib/task-config";
import { expectAccessible } from "../../mocks/axe";
import { makeMedia } from "../../mocks/factories/media";
import { renderUi, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { UploadForm } from "./upload-form";

const fields: DrawnField[] = [
  { name: "scene", type: "image" },
  { name: "place", type: "string" },
];
const digest = makeMedia().digest;

function keepUploads() {
  const sent = { files: 0, lines: [] as string[] };
  server.use(
    http.post("*/api/v1/tasks/:slug/media", () => {
      sent.files += 1;
      return HttpResponse.json(makeMedia());
    }),
    http.post("*/api/v1/tasks/:slug/contexts", async ({ request }) => {
      sent.lines = (await request.text()).split("\n");
      return HttpResponse.json({ added: 2, already_there: 0 });
    }),
  );
  return sent;
}

async function choose(position: number, ...files: File[]) {
  const input = document.querySelectorAll<HTMLInputElement>('input[type="file"]')[position];
  if (input === undefined) throw new Error("There is no such file input.");
  await userEvent.upload(input, files);
}

const picture = (name: string) => new File(["x"], name, { type: "image/png" });
const contexts = (...lines: string[]) =>
  new File([lines.join("\n")], "some.jsonl", { type: "application/x-ndjson" });
const Form = () => (
  <main>
    <UploadForm slug="vqa" fields={fields} />
  </main>
);

test.each(schemes)("the form for pictures is accessible in %s", async (scheme) => {
  renderUi(<Form />, scheme);
  expect(screen.getByText(/"file":"a.png"/)).toBeInTheDocument();
  await expectAccessible();
});

test("pictures that lines name are uploaded once, and the lines name their digests", async () => {
  const sent = keepUploads();
  renderUi(<Form />);
  await choose(0, picture("a.png"), picture("unused.png"));
  expect(screen.getByText("2 files are ready to go along.")).toBeInTheDocument();
  const line = '{"context":{"scene":{"file":"pictures/a.png","alt":"A"},"place":"Here"}}';
  await choose(1, contexts(line, line, "not json"));
  await waitFor(() => expect(sent.lines).toHaveLength(3));
  expect(sent.files).toBe(1);
  expect(JSON.parse(sent.lines[0] ?? "")).toEqual({
    context: { scene: { media: digest, alt: "A" }, place: "Here" },
  });
  expect(sent.lines[2]).toBe("not json");
});

test("a CSV names pictures by file or address", async () => {
  const sent = keepUploads();
  renderUi(<Form />);
  await choose(0, picture("a.png"));
  const csv = "scene,place\na.png,Here\nhttps://example.org/b.png,There\n";
  await choose(1, new File([csv], "some.csv", { type: "text/csv" }));
  await waitFor(() => expect(sent.lines).toHaveLength(2));
  expect(sent.lines.map((line) => (JSON.parse(line) as { context: unknown }).context)).toEqual([
    { scene: { media: digest }, place: "Here" },
    { scene: { url: "https://example.org/b.png" }, place: "There" },
  ]);
});

test("a file that was not chosen is named, and nothing is sent", async () => {
  const sent = keepUploads();
  renderUi(<Form />);
  await choose(1, contexts('{"context":{"scene":{"file":"lost.png"},"place":"Here"}}'));
  expect(await screen.findByRole("alert")).toHaveTextContent("were not chosen: lost.png.");
  expect(sent).toEqual({ files: 0, lines: [] });
});
