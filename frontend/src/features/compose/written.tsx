import { useTranslation } from "react-i18next";

import { FieldValues } from "../../components/ui/fields/field-values";
import { isGiven } from "../../lib/field-values";
import {
  type DrawnConfig,
  type DrawnField,
  type FieldValues as Values,
  fieldTitle,
  textAttributes,
} from "../../lib/task-config";
import { valueInWords } from "../../lib/value-words";
import classes from "./written.module.css";

/** What is looked at or listened to, and has no words of its own. */
const SHOWN_TYPES: ReadonlySet<DrawnField["type"]> = new Set(["image", "audio", "chat"]);

interface WrittenProps {
  inputs: Values;
  config: DrawnConfig;
  /** Whether there is room for pictures and conversations. */
  isWhole: boolean;
}

/** What was written in a try: its texts as quotes, and what was chosen or marked beside them. */
export function Written({ inputs, config, isWhole }: WrittenProps) {
  const { i18n } = useTranslation();
  const given = config.inputs.filter(({ name }) => isGiven(inputs[name]));
  const shown = given.filter(({ type }) => SHOWN_TYPES.has(type));
  const told = given.filter((field) => field.type !== "string" && !shown.includes(field));
  return (
    <div className={classes.written} data-whole={isWhole}>
      {given
        .filter(({ type }) => type === "string")
        .map((field) => (
          <p key={field.name} className={classes.quote} {...textAttributes(field)}>
            “{valueInWords(inputs[field.name], field)}”
          </p>
        ))}
      {told.length > 0 && (
        <dl className={classes.told}>
          {told.map((field) => (
            <div key={field.name}>
              <dt>{fieldTitle(field, i18n.language)}</dt>
              <dd dir="auto">{valueInWords(inputs[field.name], field)}</dd>
            </div>
          ))}
        </dl>
      )}
      {isWhole && shown.length > 0 && <FieldValues fields={shown} values={inputs} size="sm" />}
    </div>
  );
}
