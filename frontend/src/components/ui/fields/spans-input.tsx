import { Checkbox, Input, Text } from "@mantine/core";
import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import type { Span, TextSelection } from "../../../lib/field-values";
import { isInText, withSpan } from "../../../lib/spans";
import type { SpansField } from "../../../lib/task-config";
import { MarkedText } from "./marked-text";
import { SelectableText } from "./selectable-text";
import { SpanList } from "./span-list";
import { MARK_KEY, SpanMarker } from "./span-marker";
import classes from "./spans-input.module.css";
import { useMovedSpans } from "./use-moved-spans";

interface SpansInputProps {
  field: SpansField;
  text: string;
  attributes: { lang?: string; dir: string };
  title: string;
  /** Null where nothing was said; an empty list says that there is nothing to mark. */
  value: readonly Span[] | null;
  onChange: (spans: readonly Span[] | null) => void;
  error: string | undefined;
}

/** Words of a text are selected, then marked with a label or without; marks may overlap. */
export function SpansInput(props: SpansInputProps) {
  const { field, text, attributes, title, value, onChange, error } = props;
  const { t } = useTranslation();
  const id = useId();
  const [selected, setSelected] = useState<TextSelection | null>(null);
  const [said, setSaid] = useState("");
  const labels = field.labels ?? [];
  const spans = value ?? [];
  const tellDropped = (count: number) => setSaid(t("field.spansDropped", { count }));
  useMovedSpans({ text, value, onChange, onDropped: tellDropped });
  const current = selected !== null && isInText(text, selected) ? selected : null;
  const mark = (label: string | null) => {
    if (current === null) return;
    const span = label === null ? current : { ...current, label };
    onChange(field.multiple === false ? [span] : withSpan(spans, span));
    setSelected(null);
    setSaid(
      label === null
        ? t("field.spanMarked", { words: current.text })
        : t("field.spanMarkedAs", { words: current.text, label }),
    );
  };
  const remove = (index: number) => {
    const rest = spans.filter((_, other) => other !== index);
    onChange(rest.length === 0 ? null : rest);
    setSaid(t("field.spanRemoved", { words: spans[index]?.text ?? "" }));
    document.getElementById(id)?.focus({ preventScroll: true });
  };
  const press = (event: KeyboardEvent) => {
    if (current === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const label = labels[Number(event.key) - 1];
    if (label === undefined && !(labels.length === 0 && event.key === MARK_KEY)) return;
    // The same key may stand for a label of another field.
    event.preventDefault();
    mark(label ?? null);
  };
  return (
    <Input.Wrapper
      id={id}
      label={t("field.markIn", { name: title })}
      description={t(labels.length === 0 ? "field.markHelp" : "field.markLabelHelp")}
      error={error}
    >
      {/* The keys belong to the controls inside, whichever of them has the focus. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={classes.marking} onKeyDown={press}>
        <SelectableText
          id={id}
          text={text}
          attributes={attributes}
          drawn={<MarkedText text={text} spans={spans} labels={labels} isNumbered />}
          onSelect={setSelected}
          isInvalid={error !== undefined}
          describedBy={`${id}-description ${id}-marks`}
          isRoomy
        />
        <SpanMarker selected={current} labels={labels} onMark={mark} />
        <div id={`${id}-marks`}>
          <SpanList spans={spans} onRemove={remove} />
        </div>
        <Checkbox
          label={t("field.nothingToMark")}
          checked={value?.length === 0}
          onChange={(event) => onChange(event.currentTarget.checked ? [] : null)}
        />
        <Text size="sm" c="dimmed" role="status" className={classes.said}>
          {said}
        </Text>
      </div>
    </Input.Wrapper>
  );
}
