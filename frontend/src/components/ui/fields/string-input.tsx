import { Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { countCodePoints } from "../../../lib/code-points";
import { textProblem } from "../../../lib/field-rules";
import { inLanguage } from "../../../lib/local-text";
import { type StringField, textAttributes } from "../../../lib/task-config";

interface StringInputProps {
  field: StringField;
  title: string;
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  isRequired: boolean;
}

/** From this share of the most on, the count is shown. */
const NEARLY_FULL = 0.8;

/** A text that grows with what is written; its length shows only where that matters. */
export function StringInput(props: StringInputProps) {
  const { field, title, value, onChange, error, isRequired } = props;
  const { t, i18n } = useTranslation();
  const { dir, ...language } = textAttributes(field);
  const count = countCodePoints(value);
  const max = field.max_length ?? Infinity;
  const problem = textProblem(field, value);
  const tooLong = problem?.key === "tooLong" ? t("field.tooLong", problem) : undefined;
  const tooShort = problem?.key === "tooShort" ? t("field.tooShort", problem) : undefined;
  const nearlyFull = count >= max * NEARLY_FULL ? t("field.chars", { count, max }) : undefined;
  return (
    <Textarea
      label={title}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      placeholder={inLanguage(field.placeholder, i18n.language)}
      description={tooShort ?? nearlyFull}
      inputWrapperOrder={["label", "input", "description", "error"]}
      error={error ?? tooLong}
      required={isRequired}
      autosize
      minRows={field.multiline === true ? 4 : 2}
      maxRows={16}
      {...language}
      // Around the field `auto` would go by nothing: what is typed is no content of that box.
      attributes={{ input: { dir } }}
    />
  );
}
