import { Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { countCodePoints } from "../../../lib/code-points";
import { inLanguage, type StringField } from "../../../lib/task-config";

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

/** A text that grows with what is written; the length shows only when it nears its limit. */
export function StringInput({
  field,
  title,
  value,
  onChange,
  error,
  isRequired,
}: StringInputProps) {
  const { t, i18n } = useTranslation();
  const count = countCodePoints(value);
  const max = field.max_length ?? Infinity;
  const tooLong = count > max ? t("field.tooLong", { over: count - max, max }) : undefined;
  const nearlyFull = count >= max * NEARLY_FULL ? t("field.chars", { count, max }) : undefined;
  return (
    <Textarea
      label={title}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      placeholder={inLanguage(field.placeholder, i18n.language)}
      description={nearlyFull}
      inputWrapperOrder={["label", "input", "description", "error"]}
      error={error ?? tooLong}
      required={isRequired}
      autosize
      minRows={field.multiline === true ? 4 : 2}
      maxRows={16}
      {...(field.language === undefined ? {} : { lang: field.language })}
    />
  );
}
