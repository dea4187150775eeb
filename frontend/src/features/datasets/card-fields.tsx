import { Textarea, type TextareaProps, TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Words that find a dataset. */
export function TagsField(field: TextInputProps) {
  const { t } = useTranslation("datasets");
  return (
    <TextInput
      label={t("form.tags")}
      description={t("form.tagsHelp")}
      autoComplete="off"
      {...field}
    />
  );
}

/** The column of the board that a dataset is averaged into. */
export function SubtaskField(field: TextInputProps) {
  const { t } = useTranslation("datasets");
  return (
    <TextInput
      label={t("form.subtask")}
      description={t("form.subtaskHelp")}
      autoComplete="off"
      {...field}
    />
  );
}

/** What a dataset's card says of it. */
export function DescriptionField(field: TextareaProps) {
  const { t } = useTranslation("datasets");
  return (
    <Textarea
      label={t("form.description")}
      description={t("form.descriptionHelp")}
      autosize
      minRows={3}
      {...field}
    />
  );
}
