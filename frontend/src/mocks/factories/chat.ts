import type { Schemas } from "../../lib/api-client";
import { makeContext } from "./compose";
import { makeRound } from "./round";
import { makeTask } from "./task";

/** A task in which one talks with models. */
export function makeChatTask({ candidates = 1, rule = "ask_user" } = {}): Schemas["TaskRead"] {
  return makeTask({
    config: {
      context: [{ name: "persona", type: "string" }],
      input: [
        {
          name: "dialogue",
          type: "chat",
          min_turns: 1,
          max_turns: 3,
          candidates,
          rating: true,
          reply_name: "reply",
        },
      ],
      output: [{ name: "reply", type: "string" }],
      metadata: { create: [], validate: [] },
      model_wrong_metric: {
        type: rule,
        criteria: rule === "rubric" ? [{ name: "polite", text: "It is polite." }] : [],
      },
      asks_author: true,
    },
  });
}

export function makeTurn(given: Partial<Schemas["TurnRead"]> = {}): Schemas["TurnRead"] {
  return {
    number: 1,
    text: "Hello.",
    candidates: [{ model: "A", text: "Good day.", rating: null }],
    choice: null,
    regenerations_left: 5,
    ...given,
  };
}

export function makeChat(given: Partial<Schemas["ChatRead"]> = {}): Schemas["ChatRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000a01",
    round_id: makeRound().id,
    context_id: makeContext().id,
    field_name: "dialogue",
    turns: [],
    created_at: "2026-02-03T09:00:00Z",
    submitted_at: null,
    ...given,
  };
}
