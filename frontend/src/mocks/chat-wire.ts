import { http, HttpResponse } from "msw";

import type { Schemas } from "../lib/api-client";
import { makeChat, makeTurn } from "./factories/chat";
import { server } from "./server";

/** What a test may look at afterwards. */
export interface ChatSent {
  said: { text: string; key: string | null }[];
  verdicts: Schemas["TurnPut"][];
  begun: number;
}

/** A server whose models repeat what they are told, one reply a candidate. */
export function serveChat({ candidates = 1 } = {}): ChatSent {
  const sent: ChatSent = { said: [], verdicts: [], begun: 0 };
  let chat = makeChat();
  const reply = (text: string) =>
    ["A", "B", "C", "D"].slice(0, candidates).map((model) => ({
      model,
      text: `${model} says: ${text}`,
      rating: null,
    }));
  const change = (number: number, given: Partial<Schemas["TurnRead"]>) => {
    chat = {
      ...chat,
      turns: chat.turns.map((turn) => (turn.number === number ? { ...turn, ...given } : turn)),
    };
    return HttpResponse.json(chat);
  };
  server.use(
    http.post("*/api/v1/rounds/:id/chats", () => {
      sent.begun += 1;
      return HttpResponse.json(chat, { status: 201 });
    }),
    http.post("*/api/v1/chats/:id/turns", async ({ request }) => {
      const { text } = (await request.json()) as Schemas["TurnCreate"];
      sent.said.push({ text, key: request.headers.get("idempotency-key") });
      const turn = makeTurn({ number: chat.turns.length + 1, text, candidates: reply(text) });
      chat = { ...chat, turns: [...chat.turns, turn] };
      return HttpResponse.json(chat, { status: 201 });
    }),
    http.post("*/api/v1/chats/:id/turns/:number/regenerate", ({ params }) =>
      change(Number(params.number), {
        candidates: reply("something else"),
        choice: null,
        regenerations_left: 4,
      }),
    ),
    http.put("*/api/v1/chats/:id/turns/:number", async ({ request, params }) => {
      const body = (await request.json()) as Schemas["TurnPut"];
      sent.verdicts.push(body);
      const held = chat.turns[Number(params.number) - 1]?.candidates ?? [];
      return change(Number(params.number), {
        choice: body.choice ?? null,
        candidates: held.map((one, place) => ({ ...one, rating: body.ratings?.[place] ?? null })),
      });
    }),
  );
  return sent;
}
