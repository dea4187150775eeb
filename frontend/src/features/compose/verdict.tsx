import { Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { Schemas } from "../../lib/api-client";
import classes from "./answers.module.css";

type Mark = "good" | "plain" | "open";

/** A tick, an arrow round or a question mark: what the words beside it say, for a quick look. */
function VerdictIcon({ mark }: { mark: Mark }) {
  const paths = {
    good: "M4 9.5l3.2 3.2L14 6",
    plain: "M13.5 6.2A5.2 5.2 0 1 0 14.2 10M14.4 3.4v3.2h-3.2",
    open: "M6.6 7a2.4 2.4 0 1 1 3.4 2.2c-.7.4-1 .8-1 1.6M9 13.4v.2",
  };
  return (
    <svg className={classes.icon} viewBox="0 0 18 18" aria-hidden>
      <path d={paths[mark]} fill="none" stroke="currentColor" strokeWidth="1.8" />
    </svg>
  );
}

interface VerdictProps {
  fooled: boolean | null;
  /** What is said where it is not known whether the model was fooled. */
  open: string;
  /** What comes next: after "You fooled it." and after "The model got it right." */
  next: { fooled: string; right: string };
}

/** Whether the model was fooled: in words, an icon and a colour. */
export function Verdict({ fooled, open, next }: VerdictProps) {
  const { t } = useTranslation("compose");
  const mark = fooled === null ? "open" : fooled ? "good" : "plain";
  const words = {
    good: t("verdict.fooled"),
    plain: t("verdict.right"),
    open,
  }[mark];
  const after = { good: next.fooled, plain: next.right, open: "" }[mark];
  return (
    <Group gap={8} wrap="nowrap" className={classes.verdict} data-mark={mark}>
      <VerdictIcon mark={mark} />
      <Text span>
        <strong>{words}</strong> {after}
      </Text>
    </Group>
  );
}

interface TargetsLineProps {
  predictions: readonly Schemas["PredictionRead"][];
  policy: Schemas["TargetPolicy"] | undefined;
}

/** How many of several targets were wrong, and how many have to be. */
export function TargetsLine({ predictions, policy }: TargetsLineProps) {
  const { t } = useTranslation("compose");
  const judged = predictions.filter((one) => one.is_wrong !== null);
  if (predictions.length < 2 || judged.length === 0) return null;
  const wrong = judged.filter((one) => one.is_wrong === true).length;
  return (
    <Stack gap={0}>
      <Text size="sm" c="dimmed">
        {t("verdict.targets", { wrong, count: judged.length })}{" "}
        {policy === undefined ? "" : t(`policy.${policy}`)}
      </Text>
    </Stack>
  );
}
