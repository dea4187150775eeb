import type { Problem } from "../../lib/api-client";

export function makeProblem(given: Partial<Problem> = {}): Problem {
  return {
    type: "about:blank",
    title: "Unavailable",
    status: 503,
    code: "unavailable",
    detail: "The target model does not answer at the moment. Try again in a minute.",
    facts: {},
    fields: {},
    request_id: "req-1",
    ...given,
  };
}
