import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { AnchorLink } from "../../components/ui/links";
import { Markdown } from "../../components/ui/markdown";
import { Section } from "../../components/ui/section";
import type { DrawnField } from "../../lib/task-config";
import { ItemsPreview } from "./items-preview";
import { PerturbedSets } from "./perturbed-sets";
import { Provenance } from "./provenance";
import type { DatasetVersion } from "./queries";
import { SettingsForm } from "./settings-form";

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
        <Facts version={version} />
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

function Facts({ version }: { version: DatasetVersion }) {
  const { t } = useTranslation("datasets");
  const { description, source, content_warning: warning } = version.card;
  return (
    <Stack gap={4}>
      <Text>
        {t("desk.facts", {
          origin: t(`origin.${version.origin}`),
          access: t(`access.${version.access}`),
          licence: version.licence,
        })}
      </Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {t("desk.digest", { digest: version.digest })}
      </Text>
      <Text component="div" size="sm">
        {t("desk.download")}{" "}
        {version.splits.map(({ split, items }) => (
          <Anchor
            key={split}
            href={`/api/v1/dataset-versions/${version.id}/splits/${split}`}
            download={`${version.name}-v${version.version}-${split}.jsonl`}
            me="xs"
          >
            {t("split", { split, count: items })}
          </Anchor>
        ))}
      </Text>
      <Provenance card={version.card} />
      {typeof warning === "string" && warning !== "" && <Text fw={600}>{warning}</Text>}
      {typeof source === "string" && source !== "" && (
        <Text size="sm">{t("desk.source", { source })}</Text>
      )}
      {typeof description === "string" && description !== "" && (
        <div>
          <Title order={3} size="h5">
            {t("form.description")}
          </Title>
          <Markdown topHeading={4}>{description}</Markdown>
        </div>
      )}
    </Stack>
  );
}
