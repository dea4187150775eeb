import { Text, VisuallyHidden } from "@mantine/core";
import { useInterval } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { formatRelative } from "../../lib/format";
import type { Live } from "../../lib/use-live";
import classes from "./live.module.css";

const SECOND_MS = 1_000;
/** A screen reader is told the numbers no more often than this. */
const READ_OUT_MS = 30_000;

interface LiveStatusProps {
  live: Live;
  /** The numbers in a sentence, for those who do not see them change. */
  summary: string;
}

/** Whether the numbers are live, and how long ago the server last said anything. */
export function LiveStatus({ live, summary }: LiveStatusProps) {
  const { t, i18n } = useTranslation("live");
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), SECOND_MS, { autoInvoke: true });
  const calm = useCalm(summary);
  return (
    <div className={classes.status} data-state={live.state}>
      <Text size="sm" role="status">
        {t(`state.${live.state}`)}
      </Text>
      {live.heardAt !== null && live.state !== "over" && (
        <Text size="sm" c="dimmed" className={classes.ago}>
          {t("heard", {
            ago: formatRelative(
              new Date(live.heardAt).toISOString(),
              new Date(Math.max(now, live.heardAt)),
              i18n.language,
            ),
          })}
        </Text>
      )}
      <VisuallyHidden aria-live="polite">{calm}</VisuallyHidden>
    </div>
  );
}

/** A text that follows another one, but changes seldom. */
function useCalm(text: string): string {
  const [calm, setCalm] = useState(text);
  const changedAt = useRef(0);
  useEffect(() => {
    if (text === calm) return undefined;
    const wait = Math.max(0, READ_OUT_MS - (Date.now() - changedAt.current));
    const timer = setTimeout(() => {
      changedAt.current = Date.now();
      setCalm(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text, calm]);
  return calm;
}
