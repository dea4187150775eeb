import { http, HttpResponse } from "msw";

import type { Schemas } from "../lib/api-client";
import { makeRound } from "./factories/round";
import { makeSession, makeUser } from "./factories/session";
import { makeTask } from "./factories/task";
import { makeItem, makeVote } from "./factories/validation";
import { server } from "./server";
import { answer } from "./wire";

export const next = "/api/v1/rounds/:round_id/next-to-validate";
export const votes = "/api/v1/examples/:example_id/validations";
type Ballot = Schemas["ValidationCreate"];

export const reasons = [
  {
    name: "corrected_label",
    type: "multiclass",
    labels: ["entailment", "neutral", "contradiction"],
    validated_label_condition: "incorrect",
  },
  { name: "flag_reason", type: "string", validated_label_condition: "flagged" },
];

/** A server that lends the items that wait, three at a time, and keeps the votes. */
export function lend(items: Schemas["ItemToValidate"][]) {
  const waiting = [...items];
  const cast: { example: string; ballot: Ballot; key: string | null }[] = [];
  const remove = (id: unknown) => {
    const index = waiting.findIndex(({ example_id }) => example_id === id);
    if (index >= 0) waiting.splice(index, 1);
  };
  server.use(
    http.get(`*${next}`, () =>
      HttpResponse.json({
        items: waiting.slice(0, 3),
        my_votes: cast.length,
        waiting: waiting.length,
      }),
    ),
    http.post(`*${votes}`, async ({ params, request }) => {
      const ballot = (await request.json()) as Ballot;
      const example = String(params.example_id);
      cast.push({ example, ballot, key: request.headers.get("idempotency-key") });
      remove(example);
      return HttpResponse.json(makeVote({ example_id: example }), { status: 201 });
    }),
    http.delete("*/api/v1/examples/:example_id/validation-lease", ({ params }) => {
      remove(params.example_id);
      return new HttpResponse(null, { status: 204 });
    }),
    http.delete("*/api/v1/validations/:validation_id", () => {
      const undone = cast.pop();
      const item = items.find(({ example_id }) => example_id === undone?.example);
      if (item !== undefined) waiting.unshift(item);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return cast;
}

export function withConfig(config: Record<string, unknown>) {
  const task = makeTask();
  return answer("get", "/api/v1/tasks/:slug", makeTask({ config: { ...task.config, ...config } }));
}

/** Somebody signed in, and a task with an open round. */
export function serveValidating(): void {
  server.use(
    answer("get", "/api/v1/session", makeSession({ user: makeUser() })),
    answer("get", "/api/v1/tasks/:slug", makeTask()),
    answer("get", "/api/v1/tasks/:slug/rounds", [makeRound()]),
  );
}

export const items = (count: number, given: Partial<Schemas["ItemToValidate"]> = {}) =>
  Array.from({ length: count }, (_, index) => makeItem(index + 1, given));
