import { Button, Group, Progress, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { FormAlert } from "../../components/ui/form-alert";
import { formatDateTime, formatPercent } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import classes from "./evaluations.module.css";
import { type Evaluation, useCancelEvaluation, useRetryEvaluation } from "./queries";

interface EvaluationStateProps {
  evaluation: Evaluation;
  canManage: boolean;
}

/** How far one evaluation is, in words, with the deed that fits. */
export function EvaluationState({ evaluation, canManage }: EvaluationStateProps) {
  const { t, i18n } = useTranslation("evaluations");
  const { state, reason, evaluated_at } = evaluation;
  if (state === "done") {
    const when = evaluated_at === null ? "" : formatDateTime(evaluated_at, i18n.language);
    return (
      <>
        {t("state.done")}
        <Text size="sm" c="dimmed">
          {evaluation.items === 0 ? t("state.nothingToScore") : when}
        </Text>
      </>
    );
  }
  if (state === "pending") return <Going evaluation={evaluation} canManage={canManage} />;
  return (
    <div className={classes.state}>
      <Text c={state === "failed" ? "var(--db-bad)" : ""} inherit>
        {t(`state.${state}`)}
      </Text>
      {reason !== null && (
        <Text size="sm" className={classes.reason}>
          {saidOf(reason, evaluation.reason_told)}
        </Text>
      )}
      {canManage && state !== "incomplete" && <Retry evaluation={evaluation} />}
    </div>
  );
}

function Going({ evaluation, canManage }: EvaluationStateProps) {
  const { t, i18n } = useTranslation("evaluations");
  const cancel = useCancelEvaluation();
  const { is_running, queue_position: before, progress, message, dataset_name } = evaluation;
  const share = progress ?? 0;
  const name = t("state.of", { dataset: dataset_name });
  return (
    <div className={classes.state}>
      <Text inherit aria-live="polite">
        {is_running
          ? t("state.running", { share: formatPercent(share, i18n.language) })
          : before === null || before === 0
            ? t("state.waiting")
            : t("state.queued", { count: before })}
      </Text>
      {is_running && <Progress size={6} my={4} value={100 * share} aria-label={name} />}
      {message !== null && message !== "" && (
        <Text size="sm" c="dimmed" className={classes.reason}>
          {saidOf(message, evaluation.message_told)}
        </Text>
      )}
      {canManage && (
        <ConfirmButton
          size="compact-sm"
          mt={4}
          consequence={t("state.cancelWill")}
          onConfirm={() => cancel.mutateAsync(evaluation.id)}
        >
          {t("state.cancel")}
        </ConfirmButton>
      )}
    </div>
  );
}

function Retry({ evaluation }: { evaluation: Evaluation }) {
  const { t } = useTranslation("evaluations");
  const retry = useRetryEvaluation();
  return (
    <Group gap="xs" mt={4}>
      <Button
        size="compact-sm"
        variant="default"
        loading={retry.isPending}
        onClick={() => retry.mutate(evaluation.id)}
        aria-label={t("state.retryOf", { dataset: evaluation.dataset_name })}
      >
        {t("state.retry")}
      </Button>
      <FormAlert error={retry.error} />
    </Group>
  );
}
