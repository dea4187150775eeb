import { Button, Group, Input, Text } from "@mantine/core";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import { toUnitOffset } from "../../../lib/code-points";
import type { TextSelection } from "../../../lib/field-values";
import { SelectableText } from "./selectable-text";

interface PassageSelectionProps {
  text: string;
  attributes: { lang?: string; dir: string };
  title: string;
  value: TextSelection | null;
  onChange: (value: TextSelection | null) => void;
  error: string | undefined;
}

/** One selection in a passage is the answer. */
export function PassageSelection(props: PassageSelectionProps) {
  const { text, attributes, title, value, onChange, error } = props;
  const { t } = useTranslation();
  const id = useId();
  const start = value === null ? 0 : toUnitOffset(text, value.start);
  const end = value === null ? 0 : toUnitOffset(text, value.end);
  return (
    <Input.Wrapper
      id={id}
      label={t("field.selectIn", { name: title })}
      description={t("field.selectHelp")}
      error={error}
    >
      <SelectableText
        id={id}
        text={text}
        attributes={attributes}
        drawn={
          <>
            {text.slice(0, start)}
            <mark>{text.slice(start, end)}</mark>
            {text.slice(end)}
          </>
        }
        onSelect={onChange}
        isInvalid={error !== undefined}
        describedBy={`${id}-description ${id}-chosen`}
      />
      <Group gap="xs" mt={8} id={`${id}-chosen`}>
        <Text size="sm" aria-live="polite">
          {value === null ? (
            t("field.nothingSelected")
          ) : (
            <>
              {t("field.selected")}: <strong dir="auto">“{value.text}”</strong>
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
