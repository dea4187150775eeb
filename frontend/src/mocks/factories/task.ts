import type { Schemas } from "../../lib/api-client";

export function makeTaskSummary(
  given: Partial<Schemas["TaskSummary"]> = {},
): Schemas["TaskSummary"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000010",
    slug: "nli",
    title: "Natural language inference",
    description: "Does the hypothesis follow from the premise?",
    status: "active",
    language: "en",
    has_content_warning: false,
    is_open_to_everyone: true,
    visitors_may_try: true,
    created_at: "2026-01-05T09:00:00Z",
    ...given,
  };
}

/** A task with a config like the core NLI task's, as a visitor sees it. */
export function makeTask(given: Partial<Schemas["TaskRead"]> = {}): Schemas["TaskRead"] {
  return {
    ...makeTaskSummary(),
    config: {
      context: [{ name: "premise", type: "string" }],
      input: [
        { name: "hypothesis", type: "string", max_length: 400 },
        {
          name: "label",
          display_name: "Relation to the premise",
          type: "multiclass",
          labels: ["entailment", "neutral", "contradiction"],
          as_goal_message: true,
        },
      ],
      output: [{ name: "label" }],
      metadata: { create: [], validate: [] },
      model_wrong_metric: { type: "exact_match", reference_names: ["label"] },
      instructions: "Take the premise as true.",
    },
    config_version: 1,
    my_role: null,
    owners: ["ada"],
    ...given,
  };
}
