import { Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { AnchorLink } from "../../components/ui/links";
import { Section } from "../../components/ui/section";
import type { DrawnField } from "../../lib/task-config";
import { ArchivePanel } from "./archive-panel";
import { DatasetFacts } from "./dataset-facts";
import { ItemsPreview } from "./items-preview";
import { PerturbedSets } from "./perturbed-sets";
import { type DatasetVersion, useDeleteDataset } from "./queries";
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
        {version.origin === "upload" && <DeleteUpload slug={slug} version={version} />}
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

/** Takes an upload away that came out wrong, after one question. */
function DeleteUpload({ slug, version }: { slug: string; version: DatasetVersion }) {
  const { t } = useTranslation("datasets");
  const remove = useDeleteDataset();
  const navigate = useNavigate();
  return (
    <ConfirmButton
      size="compact-sm"
      mt="md"
      consequence={t("settings.deleteWill")}
      onConfirm={async () => {
        await remove.mutateAsync(version.id);
        await navigate({ to: "/tasks/$slug/owner/datasets", params: { slug } });
      }}
    >
      {t("settings.delete", version)}
    </ConfirmButton>
  );
}
