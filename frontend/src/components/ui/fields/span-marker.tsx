import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { TextSelection } from "../../../lib/field-values";
import { Kbd } from "../kbd";

/** Marks the selected words where the spans have no labels. */
export const MARK_KEY = "Enter";
const MOST_KEYS = 9;

interface SpanMarkerProps {
  selected: TextSelection | null;
  labels: readonly string[];
  onMark: (label: string | null) => void;
}

/** What is selected, and the buttons that mark it; the keys stand on them. */
export function SpanMarker({ selected, labels, onMark }: SpanMarkerProps) {
  const { t } = useTranslation();
  const look = { size: "compact-sm", variant: "default", disabled: selected === null } as const;
  return (
    <div>
      <Text size="sm" aria-live="polite" mb={4}>
        {selected === null ? (
          t("field.nothingSelected")
        ) : (
          <>
            {t("field.selectedWords")}: <strong dir="auto">“{selected.text}”</strong>
          </>
        )}
      </Text>
      <Group gap="xs" role="group" aria-label={t("field.markAs")}>
        {labels.length === 0 && (
          <Button
            {...look}
            onClick={() => onMark(null)}
            rightSection={<Kbd keys="enter" />}
            aria-keyshortcuts={MARK_KEY}
          >
            {t("field.mark")}
          </Button>
        )}
        {labels.map((label, index) => (
          <Button
            key={label}
            {...look}
            onClick={() => onMark(label)}
            {...(index < MOST_KEYS && {
              rightSection: <Kbd keys={String(index + 1)} />,
              "aria-keyshortcuts": String(index + 1),
            })}
          >
            <bdi>{label}</bdi>
          </Button>
        ))}
      </Group>
    </div>
  );
}
