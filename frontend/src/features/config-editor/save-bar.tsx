import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { FormAlert } from "../../components/ui/form-alert";
import { useStoreConfig, type Version } from "./queries";
import type { ConfigChecking } from "./use-check";
import { useConsequence } from "./use-consequence";

interface SaveBarProps {
  slug: string;
  text: string;
  /** The version that already holds this text; null where it is new. */
  stored: Version | null;
  active: Version;
  checking: ConfigChecking;
  /** The text is a version now. */
  onSaved: () => void;
}

/** Keep the text as a version, or use it at once. */
export function SaveBar({ slug, text, stored, active, checking, onSaved }: SaveBarProps) {
  const { t } = useTranslation("config");
  const store = useStoreConfig(slug);
  const consequence = useConsequence(active, text);
  const { isGood, frozenChanges } = checking;
  const save = async (activate: boolean) => {
    await store.mutateAsync({ config: text, activate });
    onSaved();
  };
  const isActive = text === active.config;
  return (
    <div>
      <Group gap="xs">
        <Button
          variant="default"
          disabled={!isGood || stored !== null}
          loading={store.isPending}
          // The mutation holds a failure, and the line below shows it.
          onClick={() => void save(false).catch(() => null)}
        >
          {t("save.keep")}
        </Button>
        {!isActive && isGood && frozenChanges.length === 0 && (
          <ConfirmButton consequence={consequence} onConfirm={() => save(true)} variant="filled">
            {t("save.activate")}
          </ConfirmButton>
        )}
      </Group>
      <Text size="sm" c="dimmed" mt={4} role="status">
        {isActive
          ? t("save.isActive")
          : stored !== null && t("save.isStored", { version: stored.version })}
      </Text>
      {isGood && frozenChanges.length > 0 && (
        <Text size="sm" c="var(--db-warning)" mt={4}>
          {t("save.frozen", { changed: frozenChanges.join(", ") })}
        </Text>
      )}
      <FormAlert error={store.error} />
    </div>
  );
}
