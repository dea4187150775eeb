import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { http, HttpResponse } from "msw";
import { useState } from "react";
import { expect, test } from "vitest";

import type { FieldValue } from "../../../lib/field-values";
import type { DrawnField } from "../../../lib/task-config";
import { expectAccessible } from "../../../mocks/axe";
import { makeMedia } from "../../../mocks/factories/media";
import { renderUi, schemes } from "../../../mocks/render";
import { server } from "../../../mocks/server";
import { answer, refuse, stall } from "../../../mocks/wire";
import { FieldRenderer } from "./field-renderer";
import { FieldView } from "./field-values";
import { MediaTask } from "./media-task";

const picture: DrawnField = {
  name: "scene",
  type: "image",
  max_bytes: 1024,
  media_types: ["image/png", "image/jpeg"],
};
const recording: DrawnField = { name: "speech", type: "audio", media_types: ["audio/wav"] };
const UPLOAD = "/api/v1/tasks/:slug/media";
const FETCH = "/api/v1/tasks/:slug/media/fetch";
const stored = { media: makeMedia().digest, alt: "A red field" };

function Field({ field, slug = "vqa" }: { field: DrawnField; slug?: string | null }) {
  const [value, setValue] = useState<FieldValue | null>(null);
  return (
    <main>
      <MediaTask slug={slug}>
        <FieldRenderer field={field} value={value} onChange={setValue} context={{}} />
      </MediaTask>
      <output aria-label="value">{JSON.stringify(value)}</output>
    </main>
  );
}

const value = () => screen.getByRole("status", { name: "value" });
const chosen = (type: string, size = 10) => new File(["x".repeat(size)], "red.png", { type });

async function choose(file: File) {
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (input === null) throw new Error("there is nothing to choose with");
  await userEvent.upload(input, file, { applyAccept: false });
}

test.each(schemes)("bringing and showing files is accessible in %s", async (scheme) => {
  server.use(answer("post", UPLOAD, makeMedia()));
  const { unmount } = renderUi(<Field field={picture} />, scheme);
  await expectAccessible();
  await choose(chosen("image/png"));
  await screen.findByRole("textbox", { name: "What the picture shows" });
  await expectAccessible();
  await userEvent.click(screen.getByRole("button", { name: "Scene: show the picture large" }));
  await screen.findByRole("dialog", { name: "Scene" });
  await expectAccessible();
  unmount();
  renderUi(
    <main>
      <FieldView field={recording} value={{ media: "cd".repeat(32) }} />
    </main>,
    scheme,
  );
  await expectAccessible();
});

test("a chosen picture is uploaded, described and taken away", async () => {
  server.use(answer("post", UPLOAD, makeMedia()));
  renderUi(<Field field={picture} />);
  await choose(chosen("image/png"));
  const alt = await screen.findByRole("textbox", { name: "What the picture shows" });
  expect(alt).toHaveFocus();
  await userEvent.type(alt, "A red field");
  expect(value()).toHaveTextContent(JSON.stringify(stored));
  await userEvent.click(screen.getByRole("button", { name: "Remove the picture" }));
  expect(value()).toHaveTextContent("null");
  expect(screen.getByRole("button", { name: "Choose a picture" })).toHaveFocus();
});

test("a picture may be dropped or pasted", async () => {
  server.use(answer("post", UPLOAD, makeMedia()));
  renderUi(<Field field={picture} />);
  const files = {
    length: 1,
    item: () => chosen("image/png"),
  };
  const button = screen.getByRole("button", { name: "Choose a picture" });
  fireEvent.paste(button, { clipboardData: { files } });
  await userEvent.click(await screen.findByRole("button", { name: "Remove the picture" }));
  fireEvent.drop(screen.getByRole("button", { name: "Choose a picture" }), {
    dataTransfer: { files },
  });
  await waitFor(() => expect(value()).toHaveTextContent(stored.media));
});

test("the bytes go to the task as they are", async () => {
  const sent: string[] = [];
  server.use(
    http.post(`*${UPLOAD}`, async ({ request, params }) => {
      sent.push(String(params.slug), await request.text());
      return HttpResponse.json(makeMedia());
    }),
  );
  renderUi(<Field field={picture} />);
  await choose(chosen("image/png", 3));
  await waitFor(() => expect(sent).toEqual(["vqa", "xxx"]));
});

test.each([
  [chosen("image/png", 2048), "The file has 2 kB; this field takes up to 1 kB."],
  [chosen("image/gif"), "This field takes PNG or JPEG."],
])("what cannot fit is not sent (%#)", async (file, sentence) => {
  renderUi(<Field field={picture} />);
  await choose(file);
  expect(screen.getByRole("group", { name: "Scene" })).toHaveAccessibleDescription(
    expect.stringContaining(sentence),
  );
});

test("the server's refusal stands at the field, and another file may follow", async () => {
  server.use(refuse("post", UPLOAD, { status: 422, detail: "The file is damaged." }));
  renderUi(<Field field={picture} />);
  await choose(chosen("image/png"));
  expect(await screen.findByText("The file is damaged.")).toBeInTheDocument();
  server.use(answer("post", UPLOAD, makeMedia()));
  await choose(chosen("image/png"));
  await waitFor(() => expect(value()).toHaveTextContent(stored.media));
  expect(screen.queryByText("The file is damaged.")).not.toBeInTheDocument();
});

test("an upload can be cancelled", async () => {
  server.use(stall("post", UPLOAD));
  renderUi(<Field field={picture} />);
  await choose(chosen("image/png"));
  expect(await screen.findByText("Uploading red.png")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(await screen.findByRole("button", { name: "Choose a picture" })).toBeInTheDocument();
});

test("a recording may be fetched from its address, by Enter alone", async () => {
  server.use(answer("post", FETCH, makeMedia({ kind: "audio", media_type: "audio/wav" })));
  renderUi(<Field field={recording} />);
  const address = screen.getByRole("textbox", { name: "Or its address on the web" });
  await userEvent.type(address, "ftp://a{Enter}");
  expect(address).toHaveAccessibleDescription("Write an address that begins with https://.");
  await userEvent.clear(address);
  await userEvent.type(address, "https://example.org/a.wav{Enter}");
  await waitFor(() => expect(value()).toHaveTextContent(`{"media":"${stored.media}"}`));
  expect(screen.getByLabelText("Speech", { selector: "audio" })).toHaveAttribute("controls");
});

test("who is not signed in is told why nothing can be added", () => {
  renderUi(<Field field={picture} slug={null} />);
  expect(screen.getByText("Sign in to add a file.")).toBeInTheDocument();
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});

test("a picture that is gone is told in words", () => {
  renderUi(<FieldView field={picture} value={stored} />);
  const small = document.querySelector("img");
  if (small === null) throw new Error("there is no picture");
  expect(small).toHaveAttribute("src", `/api/v1/media/${stored.media}/thumbnail`);
  fireEvent.error(small);
  expect(screen.getByRole("alert")).toHaveTextContent("“A red field” cannot be shown");
});
