import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { formatDateTime } from "../../lib/format";
import classes from "./config-editor.module.css";
import { useActivateConfig, type Version } from "./queries";
import { useConsequence } from "./use-consequence";

interface VersionListProps {
  slug: string;
  versions: readonly Version[];
  active: Version;
  isArchived: boolean;
  /** Puts a version's text into the editor. */
  onOpen: (version: Version) => void;
}

/** Every version of a config, newest first: who wrote it, when, and which one is used. */
export function VersionList({ slug, versions, active, isArchived, onOpen }: VersionListProps) {
  const { t } = useTranslation("config");
  return (
    <ul className={classes.versions} aria-label={t("versions.label")}>
      {versions.map((version) => (
        <li key={version.version} className={classes.version}>
          <VersionLine version={version} />
          <Group gap="xs">
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => onOpen(version)}
              aria-label={t("versions.openLabel", { version: version.version })}
            >
              {t("versions.open")}
            </Button>
            {!version.is_active && !isArchived && (
              <ActivateButton slug={slug} version={version} active={active} />
            )}
          </Group>
        </li>
      ))}
    </ul>
  );
}

function VersionLine({ version }: { version: Version }) {
  const { t, i18n } = useTranslation("config");
  const when = formatDateTime(version.created_at, i18n.language);
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>{t("versions.number", { version: version.version })}</Text>
        {version.is_active && (
          <Text span size="sm" c="var(--db-good)">
            {t("versions.active")}
          </Text>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {version.created_by === null
          ? t("versions.installed", { when })
          : t("versions.by", { when, name: version.created_by })}
      </Text>
    </div>
  );
}

interface ActivateButtonProps {
  slug: string;
  version: Version;
  active: Version;
}

function ActivateButton({ slug, version, active }: ActivateButtonProps) {
  const { t } = useTranslation("config");
  const activate = useActivateConfig(slug);
  const consequence = useConsequence(active, version.config);
  return (
    <ConfirmButton
      size="compact-sm"
      consequence={consequence}
      onConfirm={() => activate.mutateAsync(version.version)}
    >
      {t("versions.activate", { version: version.version })}
    </ConfirmButton>
  );
}
