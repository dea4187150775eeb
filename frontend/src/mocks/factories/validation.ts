import type { Schemas } from "../../lib/api-client";
import { makeRound } from "./round";

type Item = Schemas["ItemToValidate"];

/** The n-th example that waits for a vote. */
export function makeItem(n: number, given: Partial<Item> = {}): Item {
  return {
    example_id: `0b0e7c60-0000-4000-8000-${String(n).padStart(12, "0")}`,
    round_id: makeRound().id,
    mode: "review",
    context: { premise: "The ferry stayed in the harbour." },
    inputs: { hypothesis: `Hypothesis ${n}` },
    answer: { label: "entailment" },
    lease_expires_at: "2026-02-03T09:10:00Z",
    ...given,
  };
}

export function makeVote(
  given: Partial<Schemas["ValidationRead"]> = {},
): Schemas["ValidationRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000900",
    example_id: makeItem(1).example_id,
    vote: "correct",
    created_at: "2026-02-03T09:00:00Z",
    withdrawable_until: "2026-02-03T09:00:10Z",
    ...given,
  };
}
