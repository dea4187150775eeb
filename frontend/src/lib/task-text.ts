import type { Schemas } from "./api-client";
import { inLanguage, textIn } from "./local-text";

type TaskWithConfig = Pick<Schemas["TaskRead"], "title" | "description" | "language" | "config">;

/**
 * What a task is called or about, in the reader's language where its config has it. The task's own
 * `title` and `description`, which lists show, are in the language of its content.
 */
export function taskText(
  task: TaskWithConfig,
  key: "title" | "description",
  language: string,
): string {
  const text = inLanguage(textIn(task.config[key], task.language), language);
  return text === "" ? task[key] : text;
}
