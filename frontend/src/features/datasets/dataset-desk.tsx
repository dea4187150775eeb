import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { AnchorLink } from "../../components/ui/links";
import { Section } from "../../components/ui/section";
import type { DrawnField } from "../../lib/task-config";
import { ArchivePanel } from "./archive-panel";
import { DatasetFacts } from "./dataset-facts";
import { ItemsPreview } from "./items-preview";
import { PerturbedSets } from "./perturbed-sets";
import type { DatasetVersion } from "./queries";
import { SettingsForm } from "./settings-form";
import { TestAnswers } from "./test-answers";

interface DatasetDeskProps {
  slug: string;
  version: DatasetVersion;
  /** All versions of the task's sets, newest first. */
  versions: readonly DatasetVersion[];
  /** What an item shows, and its right answer's fields. */
  shown: readonly DrawnField[];
  gold: readonly DrawnField[];
}

/** Everything about one dataset: its card, its settings, its items and what varies it. */
export function DatasetDesk({ slug, version, versions, shown, gold }: DatasetDeskProps) {
  const { t } = useTranslation("datasets");
  const others = versions.filter(
    ({ id, dataset_id }) => dataset_id === version.dataset_id && id !== version.id,
  );
  const sets = versions.filter(({ perturbs_id }) => perturbs_id === version.id);
  return (
    <Stack gap="xl">
      <Section title={t("version", version)}>
        <DatasetFacts version={version} />
        <ArchivePanel key={version.id} version={version} />
        <TestAnswers version={version} isOwner />
        {others.length > 0 && (
          <Text size="sm" mt="xs">
            {t("desk.others")}{" "}
            {others.map((one) => (
              <AnchorLink
                key={one.id}
                to="/tasks/$slug/owner/datasets"
                params={{ slug }}
                search={{ dataset: one.id }}
                resetScroll={false}
                me="xs"
              >
                {t("version", one)}
              </AnchorLink>
            ))}
          </Text>
        )}
      </Section>
      <Section title={t("settings.title")}>
        <SettingsForm key={version.id} version={version} />
      </Section>
      <Section title={t("items.title")}>
        <ItemsPreview key={version.id} version={version} shown={shown} gold={gold} />
      </Section>
      <Section title={t("perturbed.title")}>
        <PerturbedSets key={version.id} slug={slug} version={version} sets={sets} />
      </Section>
    </Stack>
  );
}
