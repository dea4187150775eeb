import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { AnchorLink } from "../../components/ui/links";
import type { Schemas } from "../../lib/api-client";
import { type ReleaseOrder, releaseOrderQuery, releasesQuery, useCancelRelease } from "./queries";
import { ReleaseForm } from "./release-form";

interface ReleasePanelProps {
  slug: string;
  round: Schemas["RoundRead"];
  /** How the job that releases goes on. */
  renderJob: (jobId: string) => ReactNode;
}

/** What an owner does about a round's release, from the first look to the dataset. */
export function ReleasePanel({ slug, round, renderJob }: ReleasePanelProps) {
  const { t } = useTranslation(["releases", "ui"]);
  const [isOpen, setOpen] = useState(false);
  const [jobId, setJobId] = useState<string | null>(null);
  const isClosed = round.status === "closed";
  const order = useQuery({ ...releaseOrderQuery(round.id), enabled: isClosed });
  if (!isClosed && round.status !== "released") return null;
  return (
    <Stack gap="xs">
      {isClosed && (
        <div>
          <Button onClick={() => setOpen(true)}>{t("button", { number: round.number })}</Button>
        </div>
      )}
      <Modal
        opened={isOpen && isClosed}
        onClose={() => setOpen(false)}
        title={t("title", { number: round.number })}
        size="lg"
        closeButtonProps={{ "aria-label": t("close", { ns: "ui" }) }}
      >
        <ReleaseForm
          roundId={round.id}
          onCancel={() => setOpen(false)}
          onStart={(started) => {
            setJobId(started);
            setOpen(false);
          }}
        />
      </Modal>
      {jobId !== null && renderJob(jobId)}
      {isClosed && order.data !== undefined && order.data !== null && (
        <Waiting order={order.data} />
      )}
      {round.status === "released" && <DatasetLink slug={slug} roundNumber={round.number} />}
    </Stack>
  );
}

function Waiting({ order }: { order: ReleaseOrder }) {
  const { t } = useTranslation("releases");
  const cancel = useCancelRelease(order.round_id);
  const { open_verdicts: count, licence, seed } = order;
  return (
    <Group gap="sm">
      <Text aria-live="polite">
        {count > 0 ? t("waiting", { count }) : t("waitingNone")}{" "}
        {t("waitingTerms", { licence, seed: String(seed) })}
      </Text>
      <ConfirmButton
        size="compact-sm"
        consequence={t("cancelWill")}
        onConfirm={() => cancel.mutateAsync()}
      >
        {t("cancel")}
      </ConfirmButton>
    </Group>
  );
}

function DatasetLink({ slug, roundNumber }: { slug: string; roundNumber: number }) {
  const { t } = useTranslation("releases");
  const releases = useQuery(releasesQuery(slug));
  const made = releases.data?.find(({ round_number: number }) => number === roundNumber);
  if (made === undefined) return null;
  return (
    <Group gap="md">
      <AnchorLink to="/tasks/$slug/datasets/$versionId" params={{ slug, versionId: made.id }}>
        {t("dataset")}
      </AnchorLink>
      <AnchorLink to="/tasks/$slug/owner/training" params={{ slug }}>
        {t("train")}
      </AnchorLink>
      <AnchorLink to="/tasks/$slug/owner/next-round" params={{ slug }}>
        {t("plan")}
      </AnchorLink>
    </Group>
  );
}
