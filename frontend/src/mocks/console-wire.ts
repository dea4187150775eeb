import type { Schemas } from "../lib/api-client";
import { makeHealth, makeModel } from "./factories/console";
import { makeAgreement, makeAnnotator, makeErrorRate, makeRound } from "./factories/round";
import { makeSession, makeUser } from "./factories/session";
import { makeTask } from "./factories/task";
import { server } from "./server";
import { answer } from "./wire";

const round = "/api/v1/rounds/:round_id";

interface Given {
  role?: Schemas["TaskRole"] | null;
  rounds?: Schemas["RoundRead"][];
  isVisitor?: boolean;
}

/** A task as one of its owners sees it, with a round that has figures. */
export function serveConsole({ role = "owner", rounds, isVisitor = false }: Given = {}): void {
  server.use(
    answer("get", "/api/v1/session", makeSession({ user: isVisitor ? null : makeUser() })),
    answer("get", "/api/v1/tasks/:slug", makeTask({ my_role: role })),
    answer("get", "/api/v1/tasks/:slug/rounds", rounds ?? [makeRound()]),
    answer("get", "/api/v1/tasks/:slug/models", [makeModel()]),
    answer("get", "/api/v1/tasks/:slug/context-tags", [{ tag: "news", contexts: 3 }]),
    answer("get", "/api/v1/models/:model_id/health", makeHealth()),
    answer("get", `${round}/error-rate`, makeErrorRate()),
    answer("get", `${round}/annotators`, { rows: [makeAnnotator()], reason: null }),
    answer("get", `${round}/agreement`, makeAgreement()),
    answer("get", `${round}/suspected-errors`, {
      items: [],
      next_cursor: null,
      open: 0,
      right: 0,
      wrong: 0,
    }),
    answer("get", `${round}/release-order`, null),
    answer("get", `${round}/release-plan`, { missing: [] }),
    answer("get", `${round}/days`, [
      { day: "2026-02-02", collected: 30, fooled: 8, verified_fooled: 5 },
      { day: "2026-02-03", collected: 10, fooled: 2, verified_fooled: 1 },
    ]),
  );
}
