import { http, HttpResponse } from "msw";

import type { Schemas } from "../lib/api-client";
import {
  makeAssignment,
  makeContext,
  makeCurrentRound,
  makeExample,
  makeProgress,
} from "./factories/compose";
import { makeSession, makeUser } from "./factories/session";
import { makeTask } from "./factories/task";
import { server } from "./server";
import { answer } from "./wire";

const round = "/api/v1/rounds/:id";

/** What a test may look at afterwards. */
export interface Sent {
  examples: { body: Schemas["ExampleCreate"]; key: string | null }[];
  skips: string[][];
}

/** A server that keeps examples and lends contexts, so that whole sessions can be played. */
export function serveComposing(
  given: { task?: Schemas["TaskRead"]; isVisitor?: boolean; isBlind?: boolean } = {},
) {
  const isShown = given.isBlind !== true;
  const sent: Sent = { examples: [], skips: [] };
  const kept: Schemas["ExampleRead"][] = [];
  server.use(
    answer(
      "get",
      "/api/v1/session",
      makeSession({ user: given.isVisitor === true ? null : makeUser() }),
    ),
    answer("get", "/api/v1/tasks/:slug", given.task ?? makeTask()),
    answer("get", "/api/v1/tasks/:slug/current-round", makeCurrentRound()),
    answer("get", "/api/v1/tasks/:slug/sample-context", makeContext()),
    answer("get", `${round}/my-progress`, makeProgress()),
    http.post(`*${round}/next-context`, async ({ request }) => {
      const { skip } = (await request.json()) as { skip: string[] };
      sent.skips.push(skip);
      const context = makeContext({
        id: `0b0e7c60-0000-4000-8000-00000000020${sent.skips.length}`,
        content: { premise: `Premise number ${sent.skips.length}.` },
      });
      return HttpResponse.json(makeAssignment({ context, is_model_shown: isShown }));
    }),
    http.put(`*${round}/contexts/:context/lease`, ({ params }) =>
      HttpResponse.json(
        makeAssignment({
          context: makeContext({ id: String(params.context), content: { premise: "Resumed." } }),
        }),
      ),
    ),
    http.get(`*${round}/examples/mine`, ({ request }) => {
      const context = new URL(request.url).searchParams.get("context_id");
      return HttpResponse.json(kept.filter((one) => one.context_id === context).toReversed());
    }),
    http.post(`*${round}/examples`, async ({ request }) => {
      const body = (await request.json()) as Schemas["ExampleCreate"];
      sent.examples.push({ body, key: request.headers.get("idempotency-key") });
      const { inputs, answer: given_answer, context_id } = body;
      const id = `0b0e7c60-0000-4000-8000-00000000040${sent.examples.length}`;
      const hidden = { is_model_shown: false, predictions: [], fooled: null };
      const example = makeExample({
        ...(isShown ? {} : hidden),
        id,
        inputs,
        answer: given_answer,
        context_id,
      });
      kept.push(example);
      return HttpResponse.json(example, { status: 201 });
    }),
  );
  return sent;
}
