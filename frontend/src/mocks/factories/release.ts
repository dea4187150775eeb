import type { Schemas } from "../../lib/api-client";
import { makeRound } from "./round";

/** What a release of a round would hold, with nothing missing. */
export function makeReleasePlan(
  given: Partial<Schemas["ReleasePlanRead"]> = {},
): Schemas["ReleasePlanRead"] {
  const split = (name: Schemas["Split"], items: number) => ({
    split: name,
    items,
    fooling: items,
    verified: items,
    contexts: items,
    annotators: 4,
    labels: { entailment: items },
  });
  return {
    round_id: makeRound().id,
    seed: 0,
    stored: 60,
    splits: [split("train", 40), split("dev", 4), split("test", 4)],
    test_only_annotators: 1,
    open_verdicts: 0,
    disputed: 0,
    missing: [],
    notes: [],
    notes_told: [],
    exclusions: [{ reason: "context_held_out", examples: 12 }],
    ...given,
  };
}

/** A release that waits for verdicts. */
export function makeReleaseOrder(
  given: Partial<Schemas["ReleaseOrderRead"]> = {},
): Schemas["ReleaseOrderRead"] {
  return {
    round_id: makeRound().id,
    seed: 7,
    licence: "CC0",
    allow_incomplete: false,
    open_verdicts: 12,
    created_at: "2026-02-03T12:00:00Z",
    ...given,
  };
}
