import { setupServer } from "msw/node";

import { handlers } from "./handlers";

/** The wire in tests; a request that no handler takes fails the test. */
export const server = setupServer(...handlers);
