import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import {
  type FieldValue,
  isLabelList,
  isMedia,
  isSelection,
  isSpanList,
  NOT_APPLICABLE,
} from "../../../lib/field-values";
import {
  type DrawnField,
  type FieldValues,
  fieldTitle,
  textAttributes,
} from "../../../lib/task-config";
import { ChatInput } from "./chat-input";
import { LabelChoice } from "./label-choice";
import { MediaInput } from "./media-input";
import { MultilabelChoice } from "./multilabel-choice";
import { NumberInput } from "./number-input";
import { PassageSelection } from "./passage-selection";
import { RatingScale } from "./rating-scale";
import { SpansInput } from "./spans-input";
import { StringInput } from "./string-input";

interface FieldRendererProps {
  field: DrawnField;
  value: unknown;
  onChange: (value: FieldValue | null) => void;
  /** The texts that a selection or spans may lie in: the context and what is being written. */
  context: FieldValues;
  /** The fields of those texts, which know their languages. */
  sources?: readonly DrawnField[];
  error?: string | undefined;
  isRequired?: boolean;
  /** Whether labels take the number keys; one field of a page may. */
  withNumberKeys?: boolean;
}

/** Draw one field of a task config for a person to fill in. */
export function FieldRenderer(props: FieldRendererProps) {
  const { field, value, onChange, context, sources = [], error, isRequired = false } = props;
  const { t, i18n } = useTranslation();
  const title = fieldTitle(field, i18n.language);
  const written = typeof value === "string" ? value : "";
  const withNumberKeys = props.withNumberKeys ?? false;
  const common = { title, onChange, error };
  switch (field.type) {
    case "string":
      return <StringInput {...common} field={field} value={written} isRequired={isRequired} />;
    case "multiclass":
      return (
        <LabelChoice
          {...common}
          labels={field.labels}
          value={written === "" ? null : written}
          isRequired={isRequired}
          withNumberKeys={withNumberKeys}
        />
      );
    case "multilabel":
      return (
        <MultilabelChoice
          {...common}
          labels={field.labels}
          value={isLabelList(value) ? value : null}
          isRequired={isRequired}
          withNumberKeys={withNumberKeys}
        />
      );
    case "number":
      return (
        <NumberInput
          {...common}
          field={field}
          value={typeof value === "number" ? value : null}
          isRequired={isRequired}
        />
      );
    case "rating":
      return (
        <RatingScale
          {...common}
          field={field}
          value={typeof value === "number" || value === NOT_APPLICABLE ? value : null}
          isRequired={isRequired}
          withNumberKeys={withNumberKeys}
        />
      );
    case "chat":
      return <ChatInput {...common} field={field} value={value} />;
    case "image":
    case "audio":
      return (
        <MediaInput
          {...common}
          field={field}
          value={isMedia(value) ? value : null}
          isRequired={isRequired}
        />
      );
    case "context_string_selection":
    case "spans": {
      const found = context[field.reference_name];
      const text = typeof found === "string" ? found : "";
      const attributes = textAttributes(sources.find(({ name }) => name === field.reference_name));
      return field.type === "spans" ? (
        <SpansInput
          {...common}
          field={field}
          text={text}
          attributes={attributes}
          value={isSpanList(value) ? value : null}
        />
      ) : (
        <PassageSelection
          {...common}
          text={text}
          attributes={attributes}
          value={isSelection(value) ? value : null}
        />
      );
    }
    default:
      return <Text role="alert">{t("field.notDrawn", describe(field))}</Text>;
  }
}

/** A type this page does not know arrives here although the types say it cannot. */
function describe(field: never): { name: string; type: string } {
  const { name, type } = field as { name: string; type: string };
  return { name, type };
}
