import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, onTestFinished, test } from "vitest";

import { expectAccessible } from "../../mocks/axe";
import { renderUi, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { ConfigPreview } from "../../routes/config-preview";

const config = {
  title: "Scenes",
  context: [
    { name: "scene", type: "image" },
    { name: "speech", type: "audio" },
  ],
  input: [
    { name: "sketch", type: "image", media_types: ["image/png"], max_bytes: 100 },
    { name: "voice", type: "audio" },
    { name: "talk", type: "chat", max_turns: 3, candidates: 2, rating: true },
  ],
  output: [{ name: "reply", type: "string" }],
  metadata: { create: [{ name: "proof", type: "image" }], validate: [] },
  model_wrong_metric: { type: "ask_user" },
};

/** Every request that leaves the page while a test runs. */
let sent: string[];

beforeEach(() => {
  sent = [];
  const keep = ({ request }: { request: Request }) => sent.push(request.url);
  server.events.on("request:start", keep);
  onTestFinished(() => server.events.removeListener("request:start", keep));
});

function draw(given: object = config, scheme: (typeof schemes)[number] = "light") {
  renderUi(
    <main>
      <ConfigPreview config={{ ...given }} />
    </main>,
    scheme,
  );
}

async function chooseFor(name: string, file: File) {
  const input = screen
    .getByRole("group", { name })
    .querySelector<HTMLInputElement>("input[type=file]");
  if (input === null) throw new Error("there is nothing to choose with");
  await userEvent.upload(input, file, { applyAccept: false });
}

test.each(schemes)("pictures, sounds and a conversation are drawn in %s", async (scheme) => {
  draw(config, scheme);
  const large = "A sample picture: hills in grey: show the picture large";
  const source = screen.getByRole("button", { name: large }).querySelector("img")?.src;
  expect(source).toContain("sample-picture");
  expect(screen.getByLabelText("Speech")).toHaveAttribute("src", expect.stringContaining(".wav"));
  expect(screen.getByRole("group", { name: "Proof" })).toBeInTheDocument();
  expect(within(screen.getByRole("log", { name: "Talk" })).getAllByRole("listitem")).toHaveLength(
    2,
  );
  await expectAccessible();
  await userEvent.click(screen.getByRole("tab", { name: "Validate" }));
  expect(screen.getAllByRole("button", { name: large })).toHaveLength(2);
  expect(screen.getByText("Message 2 as somebody could write it.")).toBeInTheDocument();
  expect(screen.getAllByText("Rated 4 of 5.")).toHaveLength(4);
  await expectAccessible();
  expect(sent).toEqual([]);
});

test("a file that is brought is held to the field's limits, and a sample stands in", async () => {
  draw();
  await chooseFor("Sketch", new File(["x".repeat(200)], "a.png", { type: "image/png" }));
  const sketch = screen.getByRole("group", { name: "Sketch" });
  expect(sketch).toHaveAccessibleDescription(expect.stringContaining("takes up to"));
  await chooseFor("Sketch", new File(["x"], "a.png", { type: "image/png" }));
  expect(await within(sketch).findByText(/In the preview nothing is sent/)).toBeInTheDocument();
  expect(within(sketch).getByRole("textbox", { name: "What the picture shows" })).toHaveFocus();
  const voice = screen.getByRole("group", { name: "Voice" });
  await userEvent.type(within(voice).getByRole("textbox"), "https://example.org/a.wav{Enter}");
  expect(await within(voice).findByText(/In the preview nothing is sent/)).toBeInTheDocument();
  await userEvent.click(within(voice).getByRole("button", { name: "Remove the recording" }));
  expect(within(voice).queryByText(/In the preview/)).not.toBeInTheDocument();
  expect(sent).toEqual([]);
});

test("in the conversation one rates, chooses, asks anew and goes on, and nothing is sent", async () => {
  draw();
  const send = screen.getByRole("button", { name: "Send" });
  expect(send).toBeDisabled();
  const which = screen.getByRole("group", { name: "Which reply to message 2 is best?" });
  await userEvent.click(within(which).getByRole("radio", { name: "Reply B" }));
  const talk = screen.getByRole("log", { name: "Talk" });
  const rating = () =>
    within(talk)
      .getAllByRole("group", { name: /^Reply A, how good/ })
      .at(-1);
  await userEvent.click(within(rating() ?? talk).getByRole("radio", { name: "3" }));
  expect(within(rating() ?? talk).getByRole("radio", { name: "3" })).toBeChecked();
  expect(within(which).getByRole("radio", { name: "Reply B" })).toBeChecked();
  await userEvent.click(screen.getByRole("button", { name: /Other replies/ }));
  expect(within(which).getByRole("radio", { name: "Reply B" })).not.toBeChecked();
  expect(screen.getByText("4 times left")).toBeInTheDocument();
  await userEvent.click(within(which).getByRole("radio", { name: "A tie" }));
  await userEvent.type(screen.getByLabelText("Your message"), "And now?{Enter}");
  expect(screen.getByText("And now?")).toBeInTheDocument();
  expect(screen.getByText("3 of at most 3 messages")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Submit" }));
  expect(screen.getByText("Nothing was sent: this is the preview.")).toBeInTheDocument();
  expect(sent).toEqual([]);
});

test("one reply to one message has nothing to choose from", () => {
  draw({ ...config, input: [{ name: "talk", type: "chat", max_turns: 1 }] });
  expect(screen.getByText("A reply as a model could write it.")).toBeInTheDocument();
  expect(screen.queryByRole("group", { name: /Which reply/ })).not.toBeInTheDocument();
  expect(screen.getByText("1 of at most 1 messages")).toBeInTheDocument();
});
