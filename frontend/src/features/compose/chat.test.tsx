import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { delay, http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import { FieldValues } from "../../components/ui/fields/field-values";
import type { Schemas } from "../../lib/api-client";
import type { DrawnField } from "../../lib/task-config";
import { expectAccessible } from "../../mocks/axe";
import { serveChat } from "../../mocks/chat-wire";
import { serveComposing } from "../../mocks/compose-wire";
import { makeChat, makeChatTask, makeTurn } from "../../mocks/factories/chat";
import { makeExample, makePrediction } from "../../mocks/factories/compose";
import { makeItem } from "../../mocks/factories/validation";
import { renderApp, renderUi, schemes } from "../../mocks/render";
import { server } from "../../mocks/server";
import { lend, serveValidating } from "../../mocks/validate-wire";
import { answer, refuse } from "../../mocks/wire";

const address = "/tasks/nli/create";
const box = () => screen.findByRole("textbox", { name: "Your message" });
const log = () => screen.findByRole("log", { name: "Dialogue" });

test.each(schemes)("a conversation is held by keyboard and handed in, in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  const { examples } = serveComposing({ task: makeChatTask() });
  const sent = serveChat();
  const user = userEvent.setup();
  renderApp(address);
  expect(await screen.findByText("Nothing was said yet. Write the first message.")).toBeVisible();
  await user.type(await box(), "Hello there.{Enter}");
  expect(await within(await log()).findByText("A says: Hello there.")).toBeVisible();
  expect(await box()).toHaveValue("");
  await user.type(await box(), "Two{Shift>}{Enter}{/Shift}lines{Enter}");
  await waitFor(() => expect(sent.said.map(({ text }) => text)).toContain("Two\nlines"));
  expect(await screen.findByText("2 of at most 3 messages")).toBeVisible();
  expect(sent.said.every(({ key }) => key !== null)).toBe(true);
  await user.keyboard("{Alt>}r{/Alt}");
  expect(await screen.findByText("A says: something else")).toBeVisible();
  expect(screen.getByText("4 times left")).toBeVisible();
  const rating = screen.getAllByRole("group", { name: "Model, how good from 1 to 5?" })[1];
  await user.click(within(rating ?? document.body).getByRole("radio", { name: "4" }));
  await waitFor(() => expect(sent.verdicts).toEqual([{ choice: null, ratings: [4] }]));
  await expectAccessible();
  await user.click(await box());
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(examples).toHaveLength(1));
  expect(examples[0]?.body.inputs).toEqual({ dialogue: { chat: makeChat().id } });
  // The next try has a conversation of its own.
  await waitFor(() => expect(sent.begun).toBe(2));
});

test.each(schemes)("of several replies the best is chosen by key, in %s", async (scheme) => {
  localStorage.setItem("dynabench-colour-scheme", scheme);
  serveComposing({ task: makeChatTask({ candidates: 2 }) });
  const sent = serveChat({ candidates: 2 });
  const user = userEvent.setup();
  renderApp(address);
  await user.type(await box(), "Hello.{Enter}");
  expect(await screen.findByText("B says: Hello.")).toBeVisible();
  await user.type(await box(), "Not yet.{Enter}");
  expect(sent.said).toHaveLength(1);
  expect(screen.getByText("Choose the best reply before you go on.")).toBeVisible();
  await user.keyboard("{Alt>}2{/Alt}");
  expect(await screen.findByText(/the best/)).toBeVisible();
  await user.keyboard("{Alt>}t{/Alt}");
  await waitFor(() => expect(screen.getByRole("radio", { name: /A tie/ })).toBeChecked());
  expect(sent.verdicts.map(({ choice }) => choice)).toEqual(["1", "tie"]);
  await expectAccessible();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(sent.said.at(-1)?.text).toBe("Not yet."));
});

test("who is faster than the server loses nothing, and choices come before messages", async () => {
  serveComposing({ task: makeChatTask({ candidates: 2 }) });
  const sent = serveChat({ candidates: 2 });
  // A handler that answers nothing leaves it to the next, later.
  const late = async () => {
    await delay(400);
  };
  server.use(
    http.post("*/api/v1/rounds/:id/chats", late),
    http.put("*/api/v1/chats/:id/turns/:number", late),
  );
  const user = userEvent.setup();
  renderApp(address);
  await user.type(await box(), "Hello.{Enter}");
  expect(await screen.findByText("B says: Hello.")).toBeVisible();
  await user.keyboard("{Alt>}2{/Alt}");
  await user.type(await box(), "Go on.{Enter}");
  expect(await screen.findByText("A says: Go on.")).toBeVisible();
  expect(sent.verdicts.map(({ choice }) => choice)).toEqual(["1"]);
  expect(screen.getByText(/· the best/)).toBeVisible();
});

test("a model that fails leaves what was typed where it was", async () => {
  serveComposing({ task: makeChatTask() });
  serveChat();
  server.use(
    refuse("post", "/api/v1/chats/:id/turns", {
      status: 503,
      code: "chats.reply_failed",
      detail: "Candidate B cannot reply now. Your text is kept; try again.",
    }),
  );
  renderApp(address);
  await userEvent.type(await box(), "Are you there?{Enter}");
  expect(await screen.findByRole("alert")).toHaveTextContent("Candidate B cannot reply now.");
  expect(await box()).toHaveValue("Are you there?");
});

test("a visitor talks, and the whole conversation goes along", async () => {
  serveComposing({ task: makeChatTask(), isVisitor: true });
  const asked: Schemas["TryRepliesCreate"][] = [];
  server.use(
    http.post("*/api/v1/tasks/:slug/tries/replies", async ({ request }) => {
      asked.push((await request.json()) as Schemas["TryRepliesCreate"]);
      const text = `Reply ${asked.length}`;
      return HttpResponse.json({ candidates: [{ model: "A", text, rating: null }] });
    }),
  );
  renderApp(address);
  await userEvent.type(await box(), "Hello.{Enter}");
  expect(await screen.findByText("Reply 1")).toBeVisible();
  await userEvent.type(await box(), "And now?{Enter}");
  expect(await screen.findByText("Reply 2")).toBeVisible();
  expect(asked[1]?.messages).toEqual([
    { role: "user", text: "Hello." },
    { role: "assistant", text: "Reply 1" },
    { role: "user", text: "And now?" },
  ]);
});

test("the judge is read before the author says, and a disagreement stays open", async () => {
  serveComposing({ task: makeChatTask({ rule: "rubric" }) });
  serveChat();
  const judgement = {
    broken: ["polite"],
    reason: "It is rude.",
    error: null,
    author_says_wrong: null,
  };
  const stored = (said: boolean | null) =>
    makeExample({
      inputs: {},
      answer: {},
      fooled: null,
      predictions: [
        makePrediction({
          outputs: { reply: "Go away." },
          probabilities: null,
          judgement: { ...judgement, author_says_wrong: said },
        }),
      ],
    });
  server.use(
    http.get("*/api/v1/rounds/:id/examples/mine", () => HttpResponse.json([stored(null)])),
    http.patch("*/api/v1/examples/:id", () => HttpResponse.json(stored(false))),
  );
  renderApp(address);
  expect(await screen.findByText(/the answer breaks “polite”/)).toHaveTextContent("It is rude.");
  await userEvent.click(screen.getByRole("button", { name: "No, it was right" }));
  expect(await screen.findByText(/you and the judge do not agree/)).toBeVisible();
});

test("a validator reads the rubric and what the author says of the model", async () => {
  serveValidating();
  server.use(answer("get", "/api/v1/tasks/:slug", makeChatTask({ rule: "rubric" })));
  lend([
    makeItem(1, {
      context: { persona: "Be kind." },
      inputs: { dialogue: [makeTurn()] },
      answer: {},
      author_says_wrong: true,
      model_answers: [{ reply: "Good day." }],
    }),
  ]);
  renderApp("/tasks/nli/validate");
  expect(await screen.findByText("The model’s answer was wrong.")).toBeVisible();
  expect(screen.getByText("It is polite.")).toBeVisible();
  expect(
    screen.getByRole("heading", { name: "Is the author right about the model?" }),
  ).toBeVisible();
  expect(screen.getAllByText("Good day.")).toHaveLength(1);
  await expectAccessible();
});

test.each(schemes)("a finished conversation is read with its choices, in %s", async (scheme) => {
  const dialogue: DrawnField = { name: "dialogue", type: "chat", candidates: 2 };
  const candidates = [
    { model: "A", text: "Yes.", rating: 2 },
    { model: "B", text: "No.", rating: null },
  ];
  const turns = [
    { text: "Is it?", candidates, choice: "1" },
    { text: "Really?", candidates, choice: "all_bad" },
  ];
  renderUi(
    <main>
      <FieldValues fields={[dialogue]} values={{ dialogue: turns }} />
    </main>,
    scheme,
  );
  expect(screen.getByText(/the best/)).toBeVisible();
  expect(screen.getAllByText("Rated 2 of 5.")).toHaveLength(2);
  expect(screen.getByText("All replies were found bad.")).toBeVisible();
  await expectAccessible();
});
