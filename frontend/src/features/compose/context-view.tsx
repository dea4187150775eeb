import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { FieldRenderer } from "../../components/ui/fields/field-renderer";
import { FieldView } from "../../components/ui/fields/field-values";
import { UnseenNote } from "../../components/ui/fields/unseen-note";
import type { FieldValue } from "../../lib/field-values";
import {
  type DrawnConfig,
  type DrawnField,
  type FieldValues,
  fieldTitle,
  referenceOf,
} from "../../lib/task-config";
import classes from "./context-view.module.css";

interface ContextViewProps {
  config: DrawnConfig;
  context: FieldValues;
  answer: FieldValues;
  onSelect: (name: string, value: FieldValue | null) => void;
  complaints: Readonly<Record<string, string>>;
  /** Whether a text that is the whole context is named here and not by a heading above. */
  isTitled?: boolean;
}

/** The answers that are selected or marked in a text of the context. */
export function selectionFields(config: DrawnConfig): DrawnField[] {
  const names = new Set(config.context.map(({ name }) => name));
  return config.answers.filter((field) => names.has(referenceOf(field) ?? ""));
}

/** Whether the context is one text to read, whose name then is the whole context's. */
function isOnlyText(config: DrawnConfig): boolean {
  return config.context.length === 1 && selectionFields(config).length === 0;
}

/** What the context is called: by its one text's name, else just that. */
export function contextTitle(config: DrawnConfig, language: string, general: string): string {
  const only = isOnlyText(config) ? config.context[0] : undefined;
  return only === undefined ? general : fieldTitle(only, language);
}

/** What is written about. A text in which the answer is selected is drawn once, to select in. */
export function ContextView(props: ContextViewProps) {
  const { config, context, answer, onSelect, complaints, isTitled = false } = props;
  const { i18n } = useTranslation();
  const selections = selectionFields(config);
  const isOnly = isOnlyText(config);
  // What an input is selected in is drawn with the input, unless nothing else would be here.
  const inputs = config.context.length > 1 ? config.inputs : [];
  const isSelectedIn = new Set([...selections, ...inputs].map(referenceOf));
  return (
    <Stack gap="sm">
      {config.context
        .filter((field) => !isSelectedIn.has(field.name))
        .map((field) => (
          <div key={field.name}>
            {(isTitled || !isOnly) && (
              <Text size="sm" c="dimmed" mb={4}>
                {fieldTitle(field, i18n.language)}
              </Text>
            )}
            <div className={field.type === "string" ? classes.passage : undefined}>
              <FieldView field={field} value={context[field.name]} size="lg" />
            </div>
            <UnseenNote field={field} />
          </div>
        ))}
      {selections.map((field) => (
        <FieldRenderer
          key={field.name}
          field={field}
          value={answer[field.name]}
          onChange={(value) => onSelect(field.name, value)}
          context={context}
          sources={config.context}
          error={complaints[field.name]}
        />
      ))}
    </Stack>
  );
}
