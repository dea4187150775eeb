import { Stack } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useTranslation } from "react-i18next";

import { FieldRenderer } from "../../components/ui/fields/field-renderer";
import { GoalSentence } from "../../components/ui/fields/goal-sentence";
import { UnseenNote } from "../../components/ui/fields/unseen-note";
import type { FieldValue } from "../../lib/field-values";
import { inLanguage } from "../../lib/local-text";
import {
  type DrawnConfig,
  type DrawnField,
  type FieldValues,
  type MulticlassField,
  takesNumberKeys,
} from "../../lib/task-config";
import { selectionFields } from "./context-view";
import type { Draft } from "./desk";

interface WritingFieldsProps {
  config: DrawnConfig;
  draft: Draft;
  onChange: (part: keyof Draft, name: string, value: FieldValue | null) => void;
  context: FieldValues;
  complaints: Readonly<Record<string, string>>;
}

/** The field whose label stands in the goal sentence. */
export function goalField(config: DrawnConfig): MulticlassField | null {
  const goals = config.answers.filter((field) => field.type === "multiclass");
  return goals.find((field) => field.as_goal_message === true) ?? null;
}

/** Every field a person fills in, by name: where a complaint finds its place. */
export function namesToFill(config: DrawnConfig): string[] {
  return [...config.inputs, ...config.answers].map((field) => field.name);
}

interface Asked {
  part: keyof Draft;
  field: DrawnField;
}

/** The goal as a sentence, and under it the fields to write in. */
export function WritingFields({
  config,
  draft,
  onChange,
  context,
  complaints,
}: WritingFieldsProps) {
  const { i18n } = useTranslation();
  // Where room is short the goal itself is enough.
  const isNarrow = useMediaQuery("(width <= 56em)");
  const goal = goalField(config);
  const given = goal === null ? null : draft.answer[goal.name];
  const inContext = new Set(selectionFields(config));
  const asked: Asked[] = [
    ...config.inputs.map((field) => ({ part: "inputs" as const, field })),
    ...config.answers
      .filter((field) => field !== goal && !inContext.has(field))
      .map((field) => ({ part: "answer" as const, field })),
  ];
  const numbered = asked.find(({ field }) => takesNumberKeys(field));
  const sources = [...config.context, ...config.inputs];
  return (
    <Stack gap="sm" data-long={asked.length > 2 || asked.some(({ field }) => isTall(field))}>
      <GoalSentence
        message={goal !== null && isNarrow ? "" : inLanguage(config.goalMessage, i18n.language)}
        field={goal}
        value={typeof given === "string" ? given : null}
        onChange={(label) => goal !== null && onChange("answer", goal.name, label)}
      />
      {asked.map(({ part, field }) => (
        <div key={field.name} data-single-line={isSingleLine(field)}>
          <FieldRenderer
            field={field}
            value={draft[part][field.name]}
            onChange={(value) => onChange(part, field.name, value)}
            context={{ ...context, ...draft.inputs }}
            sources={sources}
            error={complaints[field.name]}
            withNumberKeys={goal === null && field === numbered?.field}
          />
          <UnseenNote field={field} />
        </div>
      ))}
    </Stack>
  );
}

function isSingleLine(field: DrawnField): boolean {
  return field.type === "string" && field.multiline !== true;
}

/** Whether a field needs more room than a few lines of text. */
function isTall(field: DrawnField): boolean {
  return field.type !== "string" && field.type !== "multiclass" && field.type !== "rating";
}
