import { useTranslation } from "react-i18next";

import type { Schemas } from "../../lib/api-client";
import { inLanguage } from "../../lib/local-text";
import { readConfig } from "../../lib/task-config";
import { ContentWarning } from "./content-warning";
import { Sandbox } from "./sandbox";

interface WarnedSandboxProps {
  task: Schemas["TaskRead"];
  onLeave: () => void;
}

/** The sandbox, after its task's warning where it has one. */
export function WarnedSandbox({ task, onLeave }: WarnedSandboxProps) {
  const { i18n } = useTranslation();
  const warning = inLanguage(readConfig(task.config).contentWarning, i18n.language);
  return (
    <ContentWarning slug={task.slug} warning={warning} onLeave={onLeave}>
      <Sandbox task={task} />
    </ContentWarning>
  );
}
