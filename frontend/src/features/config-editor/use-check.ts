import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import type { FieldValues } from "../../lib/task-config";
import { configCheckQuery, type Problem } from "./queries";

/** Nobody reads complaints about half a word. */
const PAUSE_MS = 400;
const NONE: readonly Problem[] = [];

export interface ConfigChecking {
  /** What is wrong with the text that was checked last. */
  problems: readonly Problem[];
  /** What an active task would not let one change. */
  frozenChanges: readonly string[];
  /** The config that was read last, with which the pages can be drawn. */
  lastGood: FieldValues | null;
  /** Whether the last check was of the text as it is now. */
  isChecked: boolean;
  /** Whether the text as it is now can be used. */
  isGood: boolean;
  error: unknown;
}

/** Check a text on the server whenever its author pauses. */
export function useConfigCheck(slug: string | null, text: string): ConfigChecking {
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const check = useQuery({
    ...configCheckQuery(slug, settled),
    placeholderData: (previous) => previous,
  });
  const [lastGood, setLastGood] = useState<FieldValues | null>(null);
  const found = check.data?.config ?? null;
  if (found !== null && found !== lastGood) setLastGood(found);
  const isChecked = settled === text && !check.isPlaceholderData && check.data !== undefined;
  const problems = check.data?.problems ?? NONE;
  return {
    problems,
    frozenChanges: check.data?.frozen_changes ?? [],
    lastGood,
    isChecked,
    isGood: isChecked && problems.length === 0,
    error: check.error,
  };
}
