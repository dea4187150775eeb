import { Button, Group, Input, Text } from "@mantine/core";
import { type SyntheticEvent, useId } from "react";
import { useTranslation } from "react-i18next";

import { toCodePointOffset, toUnitOffset } from "../../../lib/code-points";
import type { TextSelection } from "../../../lib/task-config";
import classes from "./passage-selection.module.css";

interface PassageSelectionProps {
  text: string;
  title: string;
  value: TextSelection | null;
  onChange: (value: TextSelection | null) => void;
  error: string | undefined;
}

/**
 * Read a selection made in a text box back into the text itself. The box turns every line
 * ending into one unit, so its offsets are walked back to those of the original; white space at
 * either end is left out. Null where nothing but white space is selected.
 */
export function selectionIn(text: string, start: number, end: number): TextSelection | null {
  let from = boxToText(text, start);
  let to = boxToText(text, end);
  while (from < to && /\s/.test(text.charAt(from))) from += 1;
  while (to > from && /\s/.test(text.charAt(to - 1))) to -= 1;
  if (from === to) return null;
  return {
    text: text.slice(from, to),
    start: toCodePointOffset(text, from),
    end: toCodePointOffset(text, to),
  };
}

function boxToText(text: string, boxOffset: number): number {
  let unit = 0;
  for (let box = 0; box < boxOffset && unit < text.length; box += 1) {
    unit += text.startsWith("\r\n", unit) ? 2 : 1;
  }
  return unit;
}

/**
 * A passage in which words are selected by mouse, touch or keyboard.
 *
 * The passage is a text box that takes no typing: every device and screen reader knows how to
 * select in one. Behind it the same text is drawn with the chosen words marked, so that they
 * stay visible when the focus goes elsewhere.
 */
export function PassageSelection({ text, title, value, onChange, error }: PassageSelectionProps) {
  const { t } = useTranslation();
  const id = useId();
  const read = (event: SyntheticEvent<HTMLTextAreaElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    const selected = selectionIn(text, selectionStart, selectionEnd);
    // A bare click moves the caret only: what was chosen stays until something else is.
    if (selected !== null) onChange(selected);
  };
  const start = value === null ? 0 : toUnitOffset(text, value.start);
  const end = value === null ? 0 : toUnitOffset(text, value.end);
  return (
    <Input.Wrapper
      id={id}
      label={t("field.selectIn", { name: title })}
      description={t("field.selectHelp")}
      error={error}
    >
      <div className={classes.stack}>
        <div className={classes.drawn} aria-hidden>
          {text.slice(0, start)}
          <mark>{text.slice(start, end)}</mark>
          {text.slice(end)}
          {"\u200b"}
        </div>
        <textarea
          id={id}
          className={classes.box}
          value={text}
          onChange={() => undefined}
          onBeforeInput={(event) => event.preventDefault()}
          onDrop={(event) => event.preventDefault()}
          onSelect={read}
          inputMode="none"
          aria-readonly="true"
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-description ${id}-chosen`}
          spellCheck={false}
        />
      </div>
      <Group gap="xs" mt={8} id={`${id}-chosen`}>
        <Text size="sm" aria-live="polite">
          {value === null ? (
            t("field.nothingSelected")
          ) : (
            <>
              {t("field.selected")}: <strong>“{value.text}”</strong>
            </>
          )}
        </Text>
        {value !== null && (
          <Button size="compact-sm" variant="default" onClick={() => onChange(null)}>
            {t("field.clear")}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
