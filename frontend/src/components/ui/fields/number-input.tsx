import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { numberProblem } from "../../../lib/field-rules";
import { inLanguage } from "../../../lib/local-text";
import { type NumberField } from "../../../lib/task-config";

interface NumberInputProps {
  field: Pick<NumberField, "min" | "max" | "step" | "placeholder">;
  title: string;
  value: number | null;
  onChange: (value: number | null) => void;
  error: string | undefined;
  isRequired: boolean;
}

function parsed(text: string): number | null {
  const value = text.trim() === "" ? NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

/** A number typed or stepped with the arrow keys, with what it may be in a sentence. */
export function NumberInput(props: NumberInputProps) {
  const { field, title, value, onChange, error, isRequired } = props;
  const { t, i18n } = useTranslation();
  const [typed, setTyped] = useState("");
  // "1." is on the way to 1.5: what was typed stays as long as it says the same number.
  const shown = parsed(typed) === value ? typed : value === null ? "" : String(value);
  const problem = value === null ? null : numberProblem(field, value);
  const { min, max, step } = field;
  const range =
    min !== undefined && max !== undefined
      ? "field.numberBetween"
      : min !== undefined
        ? "field.numberFrom"
        : max !== undefined
          ? "field.numberUpTo"
          : null;
  const sentences = [
    range === null ? null : t(range, { min, max }),
    step === undefined || step === 1 ? null : t("field.numberSteps", { step }),
    step === 1 ? t("field.wholeNumber") : null,
  ].filter((sentence) => sentence !== null);
  return (
    <TextInput
      type="number"
      inputMode={
        step !== undefined && Number.isInteger(step) && (min ?? -1) >= 0 ? "numeric" : "decimal"
      }
      label={title}
      description={sentences.length === 0 ? undefined : sentences.join(" ")}
      value={shown}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(parsed(event.currentTarget.value));
      }}
      // A turn of the wheel is meant for the page.
      onWheel={(event) => event.currentTarget.blur()}
      placeholder={inLanguage(field.placeholder, i18n.language)}
      error={error ?? (problem === null ? undefined : t(`field.${problem.key}`, problem))}
      required={isRequired}
      min={min}
      max={max}
      step={step ?? "any"}
      maw="20rem"
    />
  );
}
