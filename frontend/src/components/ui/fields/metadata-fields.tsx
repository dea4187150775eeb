import { Stack } from "@mantine/core";

import type { FieldValue } from "../../../lib/field-values";
import type { DrawnField, FieldValues, MetadataField } from "../../../lib/task-config";
import { FieldRenderer } from "./field-renderer";

/** What is known when the fields are asked for. */
export interface MetadataSituation {
  isModelWrong?: boolean | null;
  vote?: "correct" | "incorrect" | "flagged" | null;
}

/** The fields whose condition holds; one without a condition always does. */
export function askedFields(
  fields: readonly MetadataField[],
  { isModelWrong = null, vote = null }: MetadataSituation,
): MetadataField[] {
  return fields.filter(
    (field) =>
      (field.model_wrong_condition === undefined || field.model_wrong_condition === isModelWrong) &&
      (field.validated_label_condition === undefined || field.validated_label_condition === vote),
  );
}

interface MetadataFieldsProps {
  fields: readonly MetadataField[];
  situation: MetadataSituation;
  values: FieldValues;
  onChange: (name: string, value: FieldValue | null) => void;
  context: FieldValues;
  /** The fields of the texts in the context. */
  sources?: readonly DrawnField[];
  errors?: Readonly<Record<string, string>>;
}

/** What is asked once the model has answered or the validator has chosen. */
export function MetadataFields(props: MetadataFieldsProps) {
  const { fields, situation, values, onChange, context, sources = [], errors = {} } = props;
  return (
    <Stack gap="sm">
      {askedFields(fields, situation).map((field) => (
        <FieldRenderer
          key={field.name}
          field={field}
          value={values[field.name]}
          onChange={(value) => onChange(field.name, value)}
          context={context}
          sources={sources}
          error={errors[field.name]}
        />
      ))}
    </Stack>
  );
}
