import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import {
  type DrawnField,
  type FieldValue,
  type FieldValues,
  fieldTitle,
  isSelection,
} from "../../../lib/task-config";
import { LabelChoice } from "./label-choice";
import { PassageSelection } from "./passage-selection";
import { StringInput } from "./string-input";

interface FieldRendererProps {
  field: DrawnField;
  value: unknown;
  onChange: (value: FieldValue | null) => void;
  /** The context whose texts a selection field refers to. */
  context: FieldValues;
  error?: string | undefined;
  isRequired?: boolean;
  /** Whether labels take the number keys; one field of a page may. */
  withNumberKeys?: boolean;
}

/** Draw one field of a task config for a person to fill in. */
export function FieldRenderer(props: FieldRendererProps) {
  const { field, value, onChange, context, error, isRequired = false } = props;
  const { t, i18n } = useTranslation();
  const title = fieldTitle(field, i18n.language);
  const written = typeof value === "string" ? value : "";
  switch (field.type) {
    case "string":
      return (
        <StringInput
          field={field}
          title={title}
          value={written}
          onChange={onChange}
          error={error}
          isRequired={isRequired}
        />
      );
    case "multiclass":
      return (
        <LabelChoice
          labels={field.labels}
          title={title}
          value={written === "" ? null : written}
          onChange={onChange}
          error={error}
          isRequired={isRequired}
          withNumberKeys={props.withNumberKeys ?? false}
        />
      );
    case "context_string_selection": {
      const source = context[field.reference_name];
      return (
        <PassageSelection
          text={typeof source === "string" ? source : ""}
          title={title}
          value={isSelection(value) ? value : null}
          onChange={onChange}
          error={error}
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
