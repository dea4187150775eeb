import { useId } from "react";
import { useTranslation } from "react-i18next";

import { scaleOf, scaleSteps } from "../../../lib/field-rules";
import { NOT_APPLICABLE } from "../../../lib/field-values";
import { ariaKeys, useShortcut } from "../../../lib/shortcuts";
import type { RatingField } from "../../../lib/task-config";
import { Kbd } from "../kbd";
import { ChoiceGroup } from "./choice-group";
import { NumberInput } from "./number-input";
import classes from "./rating-scale.module.css";

type Rating = number | typeof NOT_APPLICABLE;

interface RatingScaleProps {
  field: RatingField;
  title: string;
  value: Rating | null;
  onChange: (value: Rating | null) => void;
  error: string | undefined;
  isRequired: boolean;
  withNumberKeys: boolean;
}

/** A longer scale is a number to type. */
const MOST_STEPS = 11;
const DIGIT = /^[0-9]$/;

/** A rating on a scale, by pointer, arrow keys or the number itself; or that it does not apply. */
export function RatingScale(props: RatingScaleProps) {
  const { field, title, value, onChange, error, isRequired, withNumberKeys } = props;
  const { t } = useTranslation();
  const id = useId();
  const scale = scaleOf(field);
  const steps = scaleSteps(scale);
  const isScale = steps.length <= MOST_STEPS;
  const keyOf = (word: string) => (withNumberKeys && DIGIT.test(word) ? word : null);
  const step = (point: Rating, word: string, keys: string | null) => (
    <Step
      key={point}
      group={id}
      word={word}
      keys={keys}
      isChosen={value === point}
      isFilled={typeof value === "number" && typeof point === "number" && point <= value}
      onChoose={() => onChange(point)}
    />
  );
  const points = isScale
    ? steps.map((point) => step(point, String(point), keyOf(String(point))))
    : [];
  const away =
    field.not_applicable === true
      ? step(NOT_APPLICABLE, t("field.notApplicable"), withNumberKeys ? "x" : null)
      : null;
  const number = (
    <NumberInput
      field={scale}
      title={title}
      value={typeof value === "number" ? value : null}
      onChange={onChange}
      error={error}
      isRequired={isRequired && away === null}
    />
  );
  if (!isScale && away === null) return number;
  return (
    <>
      {!isScale && number}
      <ChoiceGroup
        role="radiogroup"
        title={title}
        isTitleHidden={!isScale}
        description={isScale ? t("field.scale", { min: scale.min, max: scale.max }) : undefined}
        error={isScale ? error : undefined}
        isRequired={isRequired && isScale}
        className={classes.scale}
      >
        {points}
        {away}
      </ChoiceGroup>
    </>
  );
}

interface StepProps {
  group: string;
  word: string;
  keys: string | null;
  isChosen: boolean;
  isFilled: boolean;
  onChoose: () => void;
}

function Step({ group, word, keys, isChosen, isFilled, onChoose }: StepProps) {
  const key = keys ?? "";
  useShortcut(key, word, onChoose, keys !== null);
  useShortcut(`alt+${key}`, word, onChoose, keys !== null);
  return (
    <label className={classes.step} data-filled={isFilled}>
      <input
        type="radio"
        name={group}
        checked={isChosen}
        onChange={onChoose}
        {...(keys === null ? {} : { "aria-keyshortcuts": `${keys} ${ariaKeys(`alt+${keys}`)}` })}
      />
      <span>{word}</span>
      {keys !== null && keys !== word && <Kbd keys={keys} />}
    </label>
  );
}
