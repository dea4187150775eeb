import type { Schemas } from "../../lib/api-client";

export type TaskStatus = Schemas["TaskStatus"];
export const STATUSES: readonly TaskStatus[] = ["active", "draft", "archived"];

/** What of the list is looked at; it stands in the address. */
export interface TaskFilter {
  search?: string;
  status?: TaskStatus;
}

/** `?search=mood&status=draft`; anything else filters nothing. */
export function readTaskFilter(search: Record<string, unknown>): TaskFilter {
  const status = STATUSES.find((one) => one === search.status);
  const text = typeof search.search === "string" ? search.search.slice(0, 200) : "";
  return { ...(text === "" ? {} : { search: text }), ...(status === undefined ? {} : { status }) };
}

/** Letters without case and accents, so that "cafe" finds "Café". */
function plain(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

/** Keep the tasks of a status in whose names and description every word stands. */
export function filterTasks(
  tasks: readonly Schemas["TaskSummary"][],
  { search = "", status }: TaskFilter,
): Schemas["TaskSummary"][] {
  const words = plain(search)
    .split(/\s+/)
    .filter((word) => word !== "");
  return tasks.filter((task) => {
    if (status !== undefined && task.status !== status) return false;
    const text = plain(`${task.title} ${task.slug} ${task.description}`);
    return words.every((word) => text.includes(word));
  });
}
