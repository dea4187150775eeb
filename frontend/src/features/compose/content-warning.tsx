import { Checkbox, Group, Stack, Text, Title } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

import { KeyButton } from "../../components/ui/key-button";
import { browserStorage } from "../../lib/browser-storage";
import classes from "./content-warning.module.css";
import { useLeaveKey } from "./leave-key";

const PREFIX = "dynabench-warning-accepted";

interface ContentWarningProps {
  slug: string;
  /** What the task shows; "" where it needs no warning. */
  warning: string;
  /** What leaving does; the list of tasks by default. */
  onLeave?: () => void;
  /** Stands above the warning alone, where it is a page of its own. */
  heading?: ReactNode;
  children: ReactNode;
}

/** Shows nothing of a task that needs a warning before it was read and accepted. */
export function ContentWarning(props: ContentWarningProps) {
  const { slug, warning, onLeave, heading, children } = props;
  const key = `${PREFIX}:${slug}`;
  // What was accepted is this task's very text: another text is asked about anew.
  const [accepted, setAccepted] = useState<{ key: string; text: string } | null>(null);
  const isAccepted =
    (accepted?.key === key && accepted.text === warning) || browserStorage.read(key) === warning;
  const navigate = useNavigate();
  const leave = onLeave ?? (() => void navigate({ to: "/" }));
  if (warning === "") return children;
  if (isAccepted) return <Leavable onLeave={leave}>{children}</Leavable>;
  const accept = (isRemembered: boolean) => {
    if (isRemembered) browserStorage.write(key, warning);
    setAccepted({ key, text: warning });
  };
  return (
    <>
      {heading}
      <WarningPanel warning={warning} onAccept={accept} onLeave={leave} />
    </>
  );
}

interface WarningPanelProps {
  warning: string;
  onAccept: (isRemembered: boolean) => void;
  onLeave: () => void;
}

function WarningPanel({ warning, onAccept, onLeave }: WarningPanelProps) {
  const { t } = useTranslation("compose");
  const [isRemembered, setRemembered] = useState(false);
  return (
    <Stack component="section" className={classes.panel} gap="sm" aria-label={t("warning.title")}>
      <Title order={2} size="h4">
        {t("warning.title")}
      </Title>
      <Text>{warning}</Text>
      <Checkbox
        label={t("warning.remember")}
        checked={isRemembered}
        onChange={(event) => setRemembered(event.currentTarget.checked)}
      />
      <Group gap="xs">
        <KeyButton keys="y" onKey={() => onAccept(isRemembered)}>
          {t("warning.accept")}
        </KeyButton>
        <KeyButton keys="escape" variant="default" onKey={onLeave}>
          {t("warning.leave")}
        </KeyButton>
      </Group>
    </Stack>
  );
}

/** Content that one key leaves, even from within a field; what was written there is kept. */
function Leavable({ onLeave, children }: { onLeave: () => void; children: ReactNode }) {
  const { t } = useTranslation("compose");
  useLeaveKey(t("warning.leave"), onLeave);
  return children;
}
