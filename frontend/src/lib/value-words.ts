import {
  isChatTurns,
  isLabelList,
  isMedia,
  isSelection,
  isSpanList,
  NOT_APPLICABLE,
  type Span,
} from "./field-values";
import { i18n } from "./i18n";
import { exactNumber } from "./i18n/numbers";
import { type DrawnField, type FieldValues, fieldTitle } from "./task-config";

function spanInWords({ text, label }: Span): string {
  return label === undefined || label === "" ? `“${text}”` : `“${text}” (${label})`;
}

function listInWords(value: readonly unknown[], field: DrawnField | undefined): string | null {
  if (value.length === 0) {
    return i18n.t(field?.type === "spans" ? "field.nothingToMark" : "field.noneOfThese");
  }
  if (isLabelList(value)) return value.join(", ");
  if (isSpanList(value)) return value.map(spanInWords).join(", ");
  if (isChatTurns(value)) return i18n.t("field.turns", { count: value.length });
  return null;
}

/**
 * One value as people read it; the field says what an empty list or a number on a scale means.
 * Null where nothing was given, and for what is no answer in words (probabilities).
 */
export function valueInWords(value: unknown, field?: DrawnField): string | null {
  if (field?.type === "rating" && value === NOT_APPLICABLE) return i18n.t("field.notApplicable");
  if (typeof value === "string") return value === "" ? null : value;
  if (typeof value === "number") {
    const isOnScale = field?.type === "rating";
    if (isOnScale) return i18n.t("field.ofMost", { value, most: field.max ?? 5 });
    return exactNumber(value, i18n.language);
  }
  if (Array.isArray(value)) return listInWords(value, field);
  if (isSelection(value)) return value.text;
  if (isMedia(value)) {
    const alt = value.alt ?? "";
    return alt === "" ? i18n.t(field?.type === "audio" ? "field.recording" : "field.picture") : alt;
  }
  return null;
}

/** The values of several fields in words, in the fields' order; null where none was given. */
export function valuesInWords(values: FieldValues, fields: readonly DrawnField[]): string | null {
  const words = fields
    .map((field) => valueInWords(values[field.name], field))
    .filter((word) => word !== null);
  return words.length === 0 ? null : words.join(", ");
}

/** The same with each field's name where there are several, since 3 and 4 do not say of what. */
export function namedValuesInWords(
  values: FieldValues,
  fields: readonly DrawnField[],
): string | null {
  if (fields.length < 2) return valuesInWords(values, fields);
  const words = fields.flatMap((field) => {
    const word = valueInWords(values[field.name], field);
    return word === null ? [] : [`${fieldTitle(field, i18n.language)}: ${word}`];
  });
  return words.length === 0 ? null : words.join(" · ");
}
