import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { FormAlert } from "../../components/ui/form-alert";
import { CheckLog } from "./check-log";
import { type Submission, useRetryCheck } from "./queries";
import classes from "./submissions.module.css";

interface CheckStatusProps {
  model: Submission;
  awaitsFiles: boolean;
  /** Where files go that have not come yet; null where none are awaited. */
  upload: React.ReactNode;
}

const STEPS = ["submitted", "checking", "ready"] as const;

/** Where a submission stands: waiting, being checked, ready or rejected, and what to do next. */
export function CheckStatus({ model, awaitsFiles, upload }: CheckStatusProps) {
  const { t } = useTranslation("submissions");
  const { status } = model;
  const problems = model.problems ?? [];
  return (
    <Stack gap="sm">
      <Steps status={status} />
      <Text role="status" fw={600}>
        <StatusWords model={model} awaitsFiles={awaitsFiles} />
      </Text>
      {upload}
      {model.rejection !== null && problems.length === 0 && (
        <Text c="var(--db-bad)">{model.rejection}</Text>
      )}
      {problems.length > 0 && <ProblemTable problems={problems} />}
      {status === "rejected" && <Rejected model={model} />}
      {upload === null && model.kind !== "predictions" && (
        <CheckLog modelId={model.id} isGoingOn={status === "submitted" || status === "checking"} />
      )}
      {status === "ready" && !model.is_published && <Text>{t("next.ready")}</Text>}
    </Stack>
  );
}

function Steps({ status }: { status: Submission["status"] }) {
  const { t } = useTranslation("submissions");
  const shown = status === "rejected" ? (["submitted", "checking", "rejected"] as const) : STEPS;
  const now = shown.findIndex((step) => step === status);
  return (
    <ol className={classes.steps} aria-label={t("steps.label")}>
      {shown.map((step, place) => (
        <li
          key={step}
          data-state={place < now ? "past" : place === now ? "now" : "to-come"}
          data-step={step}
          {...(place === now ? { "aria-current": "step" as const } : {})}
        >
          {t(`steps.${step}`)}
        </li>
      ))}
    </ol>
  );
}

function StatusWords({ model, awaitsFiles }: { model: Submission; awaitsFiles: boolean }) {
  const { t } = useTranslation("submissions");
  const { status, queue_position: place = null } = model;
  if (awaitsFiles) return t("status.awaits");
  if (status !== "submitted") return t(`status.${status}`);
  if (place === null) return t("status.submitted");
  return t("status.queued", { place });
}

function Rejected({ model }: { model: Submission }) {
  const { t } = useTranslation("submissions");
  const retry = useRetryCheck(model.id);
  return (
    <Stack gap="xs">
      <Text>{t("next.rejected", { name: model.name })}</Text>
      <FormAlert error={retry.error} />
      <Group gap="xs">
        <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
          {t("next.retry")}
        </Button>
      </Group>
    </Stack>
  );
}

type Problems = NonNullable<Submission["problems"]>;

function ProblemTable({ problems }: { problems: Problems }) {
  const { t } = useTranslation("submissions");
  return (
    <DataTable
      caption={t("problems.caption")}
      rows={problems.map((one, place) => ({ ...one, key: String(place) }))}
      rowKey={({ key }) => key}
      columns={[
        { key: "item", header: t("problems.item"), cell: ({ item }) => item ?? "–" },
        { key: "field", header: t("problems.field"), cell: ({ field }) => field ?? "–" },
        {
          key: "problem",
          header: t("problems.problem"),
          cell: ({ problem }) => problem,
          isProse: true,
        },
      ]}
    />
  );
}
