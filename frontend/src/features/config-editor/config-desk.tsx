import { Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

import { Section } from "../../components/ui/section";
import type { Schemas } from "../../lib/api-client";
import type { FieldValues } from "../../lib/task-config";
import { ConfigEditor } from "./config-editor";
import { useKeptText } from "./kept-text";
import { LeaveGuard } from "./leave-guard";
import type { Version } from "./queries";
import { SaveBar } from "./save-bar";
import { useConfigCheck } from "./use-check";
import { VersionList } from "./version-list";

interface ConfigDeskProps {
  task: Schemas["TaskRead"];
  user: string;
  versions: readonly Version[];
  active: Version;
  renderPreview: (config: FieldValues) => ReactNode;
}

/** Where owners write the next version of a task's config, and choose the one that is used. */
export function ConfigDesk({ task, user, versions, active, renderPreview }: ConfigDeskProps) {
  const { t } = useTranslation("config");
  const [opened, setOpened] = useState(active.config);
  const version = versions.find(({ config }) => config === opened) ?? active;
  const kept = useKeptText(user, task.slug, { text: opened, version: version.version });
  const checking = useConfigCheck(task.slug, kept.text);
  const isArchived = task.status === "archived";
  const stored = versions.find(({ config }) => config === kept.text);
  const open = (text: string) => {
    kept.forget();
    setOpened(text);
  };
  return (
    <Stack gap="xl">
      <LeaveGuard isUnsaved={kept.isUnsaved && stored === undefined} onDiscard={kept.forget} />
      <div>
        {isArchived && <Text mb="sm">{t("archived")}</Text>}
        {kept.isUnsaved && (
          <Group gap="xs" mb="xs">
            <Text size="sm">{t("unsaved", { version: kept.startedFrom })}</Text>
            <Button variant="default" size="compact-sm" onClick={() => open(active.config)}>
              {t("backToActive", { version: active.version })}
            </Button>
          </Group>
        )}
        <ConfigEditor
          text={kept.text}
          onChange={kept.write}
          checking={checking}
          compared={{ text: active.config, name: t("activeName", { version: active.version }) }}
          renderPreview={renderPreview}
          actions={
            !isArchived && (
              <SaveBar
                slug={task.slug}
                text={kept.text}
                stored={stored ?? null}
                active={active}
                checking={checking}
                onSaved={() => open(kept.text)}
              />
            )
          }
        />
      </div>
      <Section title={t("versions.title")}>
        <Text size="sm" c="dimmed">
          {t("versions.note")}
        </Text>
        <VersionList
          slug={task.slug}
          versions={versions}
          active={active}
          isArchived={isArchived}
          onOpen={({ config }) => open(config)}
        />
      </Section>
    </Stack>
  );
}
