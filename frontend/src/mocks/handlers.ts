import { makeSession } from "./factories/session";
import { answer } from "./wire";

/** What every page asks; a test answers the rest itself with `server.use(…)`. */
export const handlers = [answer("get", "/api/v1/session", makeSession())];
