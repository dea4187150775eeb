import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { formatDuration } from "../../lib/format";

interface TimerProps {
  /** When it began, in milliseconds since 1970. */
  startedAt: number;
}

/** The time since something began, each second; a screen reader reads it only when asked. */
export function Timer({ startedAt }: TimerProps) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Text span c="dimmed" role="timer" aria-label={t("timeSpent")} aria-live="off">
      {formatDuration((now - startedAt) / 1000)}
    </Text>
  );
}
