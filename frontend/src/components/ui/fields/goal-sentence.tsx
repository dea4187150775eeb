import { NativeSelect, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ariaKeys, useShortcut } from "../../../lib/shortcuts";
import { fieldTitle, type MulticlassField } from "../../../lib/task-config";
import classes from "./goal-sentence.module.css";

interface GoalSentenceProps {
  /** The task's own sentence, shown before the goal. */
  message: string;
  /** The field whose label is the goal; null where the task sets none. */
  field: MulticlassField | null;
  value: string | null;
  onChange: (label: string) => void;
}

/** The goal as a sentence with the label inside it, which can be changed there. */
export function GoalSentence({ message, field, value, onChange }: GoalSentenceProps) {
  const { t, i18n } = useTranslation();
  if (field === null) return <Text fw={600}>{message}</Text>;
  const title = fieldTitle(field, i18n.language);
  return (
    <div>
      {message !== "" && <Text c="dimmed">{message}</Text>}
      <Text component="div" fw={600} className={classes.sentence}>
        {t("goal.default")}{" "}
        <NativeSelect
          aria-label={title}
          className={classes.select}
          data={field.labels}
          value={value ?? ""}
          onChange={(event) => onChange(event.currentTarget.value)}
          aria-keyshortcuts={field.labels.map((_, index) => ariaKeys(`alt+${index + 1}`)).join(" ")}
        />{" "}
        {t("goal.but")}
      </Text>
      {field.labels.slice(0, 9).map((label, index) => (
        <GoalKey key={label} label={label} number={index + 1} onChoose={() => onChange(label)} />
      ))}
    </div>
  );
}

interface GoalKeyProps {
  label: string;
  number: number;
  onChoose: () => void;
}

/** The number key of one label; draws nothing. */
function GoalKey({ label, number, onChoose }: GoalKeyProps) {
  useShortcut(String(number), label, onChoose);
  useShortcut(`alt+${number}`, label, onChoose);
  return null;
}
