import { Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { DataTable } from "../../components/ui/data-table";
import { Empty } from "../../components/ui/states";
import { formatPercent } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import { PerturbForm } from "./perturb-form";
import { type DatasetVersion, useDeleteDataset } from "./queries";
import { VariantsPreview } from "./variants-preview";

interface PerturbedSetsProps {
  slug: string;
  version: DatasetVersion;
  /** The sets that vary it, newest first. */
  sets: readonly DatasetVersion[];
}

/** The sets that vary a dataset: what each transform changed, how that reads, and new ones. */
export function PerturbedSets({ slug, version, sets }: PerturbedSetsProps) {
  const { t } = useTranslation("datasets");
  return (
    <Stack gap="lg">
      <Text>{t("perturbed.help")}</Text>
      {sets.length === 0 ? (
        <Empty title={t("perturbed.none")}>{t("perturbed.noneNext")}</Empty>
      ) : (
        sets.map((one) => <PerturbedSet key={one.id} set={one} />)
      )}
      <PerturbForm slug={slug} version={version} />
    </Stack>
  );
}

interface Count {
  name: string;
  items: number;
  changed: number;
}

interface Perturbation {
  kind: string;
  made_by: string;
  seed: number | null;
  transforms: Record<string, { items: number; changed: number }>;
  left_out: Record<string, string>;
}

function PerturbedSet({ set }: { set: DatasetVersion }) {
  const { t, i18n } = useTranslation("datasets");
  const drop = useDeleteDataset();
  const [shown, setShown] = useState<string | null>(null);
  // The server writes it so; on the wire it is free JSON.
  const made = set.perturbation as unknown as Perturbation;
  const counts: Count[] = Object.entries(made.transforms).map(([name, one]) => ({ name, ...one }));
  const leftOut = Object.entries(made.left_out);
  return (
    <section aria-label={t("version", set)}>
      <Group justify="space-between" gap="xs">
        <Title order={4} size="h5">
          {t("version", set)}
        </Title>
        {set.is_newest && (
          <ConfirmButton
            size="compact-sm"
            consequence={t("perturbed.dropWill")}
            onConfirm={() => drop.mutateAsync(set.id)}
          >
            {t("perturbed.drop", set)}
          </ConfirmButton>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {made.made_by === "owner"
          ? t("perturbed.byOwner", { count: set.items })
          : t("perturbed.byPlatform", { count: set.items, seed: made.seed ?? 0 })}
      </Text>
      <DataTable
        caption={t("perturbed.caption")}
        rows={counts}
        rowKey={({ name }) => name}
        columns={[
          {
            key: "transform",
            header: t("perturbed.transform"),
            cell: ({ name }) => name,
            sortBy: ({ name }) => name,
          },
          {
            key: "changed",
            header: t("perturbed.changed"),
            isNumber: true,
            cell: ({ changed, items }) =>
              t("perturbed.share", {
                share: formatPercent(items === 0 ? null : changed / items, i18n.language),
                changed,
                items,
              }),
            sortBy: ({ changed }) => changed,
          },
        ]}
      />
      {leftOut.length > 0 && (
        <details>
          <summary>{t("perturbed.leftOut", { count: leftOut.length })}</summary>
          <ul>
            {leftOut.map(([name, reason]) => (
              <li key={name}>
                {t("perturbed.leftOutOne", { name, reason: saidOf(reason, set.told?.[reason]) })}
              </li>
            ))}
          </ul>
        </details>
      )}
      <VariantsPreview
        versionId={set.id}
        transforms={counts.filter(({ changed }) => changed > 0).map(({ name }) => name)}
        shown={shown}
        onShow={setShown}
      />
    </section>
  );
}
