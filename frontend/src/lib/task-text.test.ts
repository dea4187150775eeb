import { expect, test } from "vitest";

import { makeTask } from "../mocks/factories/task";
import { taskText } from "./task-text";

test("a task's texts are in the reader's language, else in its own", () => {
  const task = makeTask({
    title: "Question au guichet",
    description: "Une question.",
    language: "fr",
    config: { title: { en: "Question at the counter", fr: "Question au guichet" } },
  });
  expect(taskText(task, "title", "en-GB")).toBe("Question at the counter");
  expect(taskText(task, "title", "de")).toBe("Question au guichet");
  expect(taskText(task, "description", "en")).toBe("Une question.");
});
