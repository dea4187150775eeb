import { CloseButton } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { Span } from "../../../lib/field-values";
import classes from "./span-list.module.css";

interface SpanListProps {
  spans: readonly Span[];
  /** Takes a mark away; absent where the list is to be read only. */
  onRemove?: (index: number) => void;
}

/** Every marked place in words, in the order of the text. */
export function SpanList({ spans, onRemove }: SpanListProps) {
  const { t } = useTranslation();
  if (spans.length === 0) return null;
  return (
    <ol className={classes.list} aria-label={t("field.marks")}>
      {spans.map((span, index) => (
        <li key={`${span.start} ${span.end} ${span.label ?? ""}`} className={classes.item}>
          <span className={classes.number} aria-hidden>
            {index + 1}
          </span>
          <span className={classes.words}>
            <bdi>“{span.text}”</bdi>
            {span.label !== undefined && (
              <>
                {" "}
                <bdi className={classes.label}>{span.label}</bdi>
              </>
            )}
          </span>
          {onRemove !== undefined && (
            <CloseButton
              aria-label={t("field.removeMark", { words: span.text })}
              onClick={() => onRemove(index)}
            />
          )}
        </li>
      ))}
    </ol>
  );
}
