import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import {
  isChatTurns,
  isGiven,
  isMedia,
  isSelection,
  isSpanList,
  type Span,
} from "../../../lib/field-values";
import { isInText } from "../../../lib/spans";
import {
  type DrawnField,
  type FieldValues as Values,
  fieldTitle,
  textAttributes,
} from "../../../lib/task-config";
import { valueInWords } from "../../../lib/value-words";
import { AudioView } from "./audio-view";
import { ChatView } from "./chat-view";
import classes from "./field-values.module.css";
import { ImageView } from "./image-view";
import { MarkedText } from "./marked-text";
import { SpanList } from "./span-list";

/** What is marked in a text, and all the labels that marks there may have. */
export interface TextMarks {
  spans: readonly Span[];
  labels: readonly string[];
}

interface FieldValuesProps {
  fields: readonly DrawnField[];
  values: Values;
  /** Words to mark in a field's text, by the field's name. */
  marks?: Readonly<Record<string, TextMarks>>;
  size?: "sm" | "md" | "lg";
}

/** What stands in an example's fields, to be read; fields without a value are left out. */
export function FieldValues({ fields, values, marks = {}, size = "md" }: FieldValuesProps) {
  const { i18n } = useTranslation();
  const given = fields.filter(({ name }) => isGiven(values[name]));
  return (
    <dl className={classes.values}>
      {given.map((field) => (
        <div key={field.name}>
          <Text component="dt" size="sm" c="dimmed">
            {fieldTitle(field, i18n.language)}
          </Text>
          <dd className={classes.value}>
            <FieldView
              field={field}
              value={values[field.name]}
              marks={marks[field.name]}
              size={size}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface FieldViewProps {
  field: DrawnField;
  value: unknown;
  marks?: TextMarks | undefined;
  size?: "sm" | "md" | "lg";
}

/** One value to be read, without its field's name. */
export function FieldView({ field, value, marks, size = "md" }: FieldViewProps) {
  switch (field.type) {
    case "string": {
      const text = valueInWords(value, field) ?? "";
      const spans = (marks?.spans ?? []).filter((span) => isInText(text, span));
      return (
        <Text className={classes.text} size={size} {...textAttributes(field)}>
          <MarkedText text={text} spans={spans} labels={marks?.labels ?? []} />
        </Text>
      );
    }
    case "multilabel":
      return <Labels field={field} value={value} />;
    case "spans":
      return isSpanList(value) && value.length > 0 ? (
        <SpanList spans={value} />
      ) : (
        <Text>{valueInWords(value, field)}</Text>
      );
    case "chat":
      return isChatTurns(value) ? <ChatView turns={value} /> : null;
    case "image":
    case "audio":
      return <MediaView field={field} value={value} />;
    default:
      return (
        <Text className={classes.text} size={size === "sm" ? "sm" : "md"} dir="auto">
          {valueInWords(value, field)}
        </Text>
      );
  }
}

function MediaView({ field, value }: { field: DrawnField; value: unknown }) {
  const { i18n } = useTranslation();
  if (!isMedia(value)) return null;
  const View = field.type === "image" ? ImageView : AudioView;
  return <View value={value} title={fieldTitle(field, i18n.language)} />;
}

function Labels({ field, value }: { field: DrawnField; value: unknown }) {
  if (!Array.isArray(value) || value.length === 0) return <Text>{valueInWords(value, field)}</Text>;
  return (
    <ul className={classes.labels}>
      {value.map((label) => (
        <li key={String(label)} dir="auto">
          {String(label)}
        </li>
      ))}
    </ul>
  );
}

/** The parts of an answer that lie in a text, by the field whose text it is. */
export function textMarks(
  fields: readonly DrawnField[],
  answer: Values,
): Record<string, TextMarks> {
  const marks: Record<string, TextMarks> = {};
  const add = (name: string, spans: readonly Span[], labels: readonly string[]) => {
    const before = marks[name] ?? { spans: [], labels: [] };
    marks[name] = {
      spans: [...before.spans, ...spans],
      labels: [...new Set([...before.labels, ...labels])],
    };
  };
  for (const field of fields) {
    const value = answer[field.name];
    if (field.type === "context_string_selection" && isSelection(value)) {
      add(field.reference_name, [value], []);
    }
    if (field.type === "spans" && isSpanList(value)) {
      add(field.reference_name, value, field.labels ?? []);
    }
  }
  return marks;
}
