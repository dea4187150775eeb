import { makeNumbers } from "./factories/live";
import { makeSession } from "./factories/session";
import { answer } from "./wire";

/** What every page asks; a test answers the rest itself with `server.use(…)`. */
export const handlers = [
  answer("get", "/api/v1/session", makeSession()),
  answer("get", "/api/v1/users/me/notifications", { items: [], next_cursor: null, unread: 0 }),
  answer("get", "/api/v1/rounds/:roundId/numbers", makeNumbers()),
  answer("get", "/api/v1/tasks/:slug/numbers", { task_slug: "nli", round: makeNumbers() }),
];
