import type { Schemas } from "../../lib/api-client";
import { makeRate, makeRound } from "./round";

type Numbers = Schemas["RoundNumbersRead"];

const validated = { value: 0.15, part: 6, low: 0.07, high: 0.29 };

export function makeNumbers(given: Partial<Numbers> = {}): Numbers {
  const pace = { count: 12, hours: 1, per_hour: 12 };
  return {
    round_id: makeRound().id,
    task_slug: "nli",
    round_number: 2,
    status: "open",
    collection: {
      last_hour: pace,
      last_day: { count: 30, hours: 20, per_hour: 1.5 },
      hours: [
        { starts_at: "2026-02-05T08:00:00Z", attempts: 2 },
        { starts_at: "2026-02-05T09:00:00Z", attempts: 12 },
      ],
      annotators: 3,
    },
    model_error_rate: makeRate(),
    validated_model_error_rate: makeRate(validated),
    pending: 3,
    curve: [
      {
        day: "2026-02-04",
        collected: 20,
        pending: 2,
        model_error_rate: makeRate({ value: 0.3, part: 6, whole: 20 }),
        validated_model_error_rate: makeRate({ value: 0.1, part: 2, whole: 20 }),
      },
      {
        day: "2026-02-05",
        collected: 40,
        pending: 3,
        model_error_rate: makeRate(),
        validated_model_error_rate: makeRate(validated),
      },
    ],
    backlog: {
      waiting: 3,
      votes_wanted: 7,
      lent: 1,
      disputed: 1,
      last_hour: pace,
      last_day: { count: 14, hours: 20, per_hour: 0.7 },
      hours_left: 10,
      validators: 2,
      days: [
        { day: "2026-02-04", waiting: 5 },
        { day: "2026-02-05", waiting: 3 },
      ],
    },
    effort: {
      seconds_per_validated_fooling: 125,
      validated_fooling: 6,
      attempts: 40,
      timed_attempts: 38,
      votes: 22,
      timed_votes: 20,
    },
    human_gap: {
      people: makeRate({ value: null, part: 0, whole: 0, low: null, high: null }),
      targets: makeRate({ value: null, part: 0, whole: 0, low: null, high: null }),
      gap: null,
      low: null,
      high: null,
      reason: "reviewed",
    },
    ends: [
      {
        kind: "examples",
        limit: 100,
        used: 40,
        expected_at: "2026-02-09T09:00:00Z",
        earliest_at: "2026-02-08T09:00:00Z",
        latest_at: "2026-02-11T09:00:00Z",
        reason: null,
      },
    ],
    as_of: "2026-02-05T09:30:00Z",
    ...given,
  };
}
