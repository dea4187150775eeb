import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { toUnitOffset } from "../../../lib/code-points";
import {
  type DrawnField,
  type FieldValues as Values,
  fieldTitle,
  isSelection,
  type TextSelection,
} from "../../../lib/task-config";
import classes from "./field-values.module.css";

interface FieldValuesProps {
  fields: readonly DrawnField[];
  values: Values;
  /** Words to mark in a field's text, by the field's name. */
  marks?: Readonly<Record<string, TextSelection>>;
  size?: "sm" | "md" | "lg";
}

/** What stands in an example's fields, to be read; fields without a value are left out. */
export function FieldValues({ fields, values, marks = {}, size = "md" }: FieldValuesProps) {
  const { i18n } = useTranslation();
  const written = fields.filter(({ name }) => valueText(values[name]) !== "");
  return (
    <dl className={classes.values}>
      {written.map((field) => (
        <div key={field.name}>
          <Text component="dt" size="sm" c="dimmed">
            {fieldTitle(field, i18n.language)}
          </Text>
          <dd className={classes.value}>
            <Text className={classes.text} size={size} {...languageOf(field)}>
              <Marked text={valueText(values[field.name])} mark={marks[field.name]} />
            </Text>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A value as text: a selection is its words, a list its parts. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (isSelection(value)) return value.text;
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The parts of an answer that are selections, by the context field they lie in. */
export function selectionMarks(
  fields: readonly DrawnField[],
  answer: Values,
): Record<string, TextSelection> {
  const marks: Record<string, TextSelection> = {};
  for (const field of fields) {
    const value = answer[field.name];
    if (field.type === "context_string_selection" && isSelection(value)) {
      marks[field.reference_name] = value;
    }
  }
  return marks;
}

function languageOf(field: DrawnField): { lang?: string } {
  return field.type === "string" && field.language !== undefined ? { lang: field.language } : {};
}

function Marked({ text, mark }: { text: string; mark: TextSelection | undefined }) {
  if (mark === undefined) return text;
  const start = toUnitOffset(text, mark.start);
  const end = toUnitOffset(text, mark.end);
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}
