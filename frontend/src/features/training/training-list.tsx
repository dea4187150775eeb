import { Button, Code, Group, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { FormAlert } from "../../components/ui/form-alert";
import { ButtonLink } from "../../components/ui/links";
import { Said } from "../../components/ui/said";
import { QueryView } from "../../components/ui/states";
import { formatDateTime, formatPercent } from "../../lib/format";
import { isGoingOn, type Training, trainingLogQuery, useSteering } from "./queries";
import { useRecipeText } from "./recipe-text";
import classes from "./training.module.css";
import { useTrainingNews } from "./use-training-news";

/** The recipe that learns in epochs, which are kept where they were learned. */
const FINE_TUNING = "transformers";

/** A task's trainings: how far each is, what it logs, and the model that came of it. */
export function TrainingList({
  slug,
  trainings,
}: {
  slug: string;
  trainings: readonly Training[];
}) {
  const heard = useTrainingNews(slug, trainings);
  return (
    <Stack gap={0} component="ul" className={classes.list}>
      {trainings.map((training) => (
        <li key={training.id} className={classes.row}>
          <TrainingLine slug={slug} training={training} isHeard={training.id === heard} />
        </li>
      ))}
    </Stack>
  );
}

interface OneTraining {
  slug: string;
  training: Training;
  /** Whether the server tells of it, so that nobody has to ask. */
  isHeard: boolean;
}

function TrainingLine({ slug, training, isHeard }: OneTraining) {
  const { t, i18n } = useTranslation(["training", "jobs"]);
  const text = useRecipeText();
  const { name, state, error } = training;
  const isRunning = isGoingOn(training);
  const told = t(`state.${state}`, { ns: "jobs" });
  const share = formatPercent(training.progress, i18n.language);
  const recipe = text.recipe({ name: training.recipe, title: training.recipe, description: "" });
  return (
    <Stack gap={4}>
      <Group justify="space-between" gap="xs">
        <Text fw={600}>{t("started", { name })}</Text>
        <Text size="sm" c={state === "failed" ? "var(--db-bad)" : "dimmed"} aria-live="polite">
          {state === "running" ? `${told}, ${share}` : told}
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        {t("asked", {
          recipe: recipe.title,
          when: formatDateTime(training.created_at, i18n.language),
        })}
      </Text>
      {isRunning && (
        <Progress size={6} value={100 * training.progress} aria-label={t("started", { name })} />
      )}
      {isRunning && training.message !== "" && (
        <Text size="sm" c="dimmed">
          <Said sentence={training.message} told={training.told} />
        </Text>
      )}
      {error !== null && (
        <Text size="sm" c="var(--db-bad)">
          <Said sentence={error} told={training.told} />
        </Text>
      )}
      <Deeds slug={slug} training={training} isHeard={isHeard} />
    </Stack>
  );
}

function Deeds({ slug, training, isHeard }: OneTraining) {
  const { t } = useTranslation("training");
  const { cancel, resume } = useSteering(slug, training.id);
  const [isLogShown, setLogShown] = useState(false);
  const isOver = training.state === "failed" || training.state === "cancelled";
  return (
    <>
      <Group gap="xs">
        {training.model_id !== null && (
          <ButtonLink
            to="/tasks/$slug/models/$modelId"
            params={{ slug, modelId: training.model_id }}
            size="compact-sm"
          >
            {t("toModel")}
          </ButtonLink>
        )}
        {isGoingOn(training) && (
          <ConfirmButton
            size="compact-sm"
            consequence={t("cancelWill")}
            onConfirm={() => cancel.mutateAsync()}
          >
            {t("cancel")}
          </ConfirmButton>
        )}
        {isOver && (
          <Button
            size="compact-sm"
            variant="default"
            loading={resume.isPending}
            onClick={() => resume.mutate()}
          >
            {t(training.state === "failed" ? "resume" : "again")}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          aria-expanded={isLogShown}
          onClick={() => setLogShown(!isLogShown)}
        >
          {t("log.show")}
        </Button>
      </Group>
      {training.state === "failed" && training.recipe === FINE_TUNING && (
        <Text size="sm" c="dimmed" maw={720}>
          {t("resumeWhere")}
        </Text>
      )}
      <FormAlert error={resume.error} />
      {isLogShown && <Log slug={slug} training={training} isHeard={isHeard} />}
    </>
  );
}

function Log({ slug, training, isHeard }: OneTraining) {
  const { t } = useTranslation("training");
  const log = useQuery(trainingLogQuery(slug, training, isHeard));
  return (
    <QueryView
      query={log}
      isEmpty={(lines) => lines.length === 0}
      empty={
        <Text size="sm" c="dimmed">
          {t("log.empty")}
        </Text>
      }
    >
      {(lines) => (
        // A box that scrolls must be reachable without a mouse.
        <Code block lang="en" tabIndex={0} role="region" aria-label={t("log.label")}>
          {lines.join("\n")}
        </Code>
      )}
    </QueryView>
  );
}
