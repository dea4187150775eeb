import { Text } from "@mantine/core";

import { useProblemText } from "./problem-text";

/** A form's one line for failures that belong to none of its fields. */
export function FormAlert({ error }: { error: unknown }) {
  const { sentence, lang } = useProblemText(error);
  if (error === null || error === undefined) return null;
  return (
    <Text role="alert" lang={lang} c="var(--db-bad)" size="sm">
      {sentence}
    </Text>
  );
}
