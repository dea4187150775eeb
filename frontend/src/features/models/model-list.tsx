import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { AnchorLink } from "../../components/ui/links";
import { ProbabilityBars } from "../../components/ui/probability-bars";
import { formatDate, formatNumber } from "../../lib/format";
import { valueInWords } from "../../lib/value-words";
import classes from "./models.module.css";
import { type Model, useCheckModel } from "./queries";
import { ModelHealth } from "./target-health";

/** A task's models, each with a button that asks it a trial input; judges stand apart. */
export function ModelList({ models }: { models: readonly Model[] }) {
  const { t } = useTranslation("models");
  const judges = models.filter(({ purpose }) => purpose === "judge");
  return (
    <>
      <Rows models={models.filter(({ purpose }) => purpose === "target")} />
      {judges.length > 0 && (
        <>
          <Text fw={600} mt="md">
            {t("list.judges")}
          </Text>
          <Rows models={judges} />
        </>
      )}
    </>
  );
}

function Rows({ models }: { models: readonly Model[] }) {
  return (
    <ul className={classes.list}>
      {models.map((model) => (
        <ModelRow key={model.id} model={model} />
      ))}
    </ul>
  );
}

function ModelRow({ model }: { model: Model }) {
  const { t, i18n } = useTranslation("models");
  const check = useCheckModel(model.id);
  const answer = check.data;
  return (
    <li className={classes.row}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <div>
          <AnchorLink
            to="/tasks/$slug/models/$modelId"
            params={{ slug: model.task_slug, modelId: model.id }}
            fw={600}
            underline="always"
          >
            {`${model.name} v${model.version}`}
          </AnchorLink>
          <Text size="sm" c="dimmed">
            {[
              t(`kind.${model.kind}`),
              t(`status.${model.status}`),
              formatDate(model.created_at, i18n.language),
            ].join(" · ")}
          </Text>
          {model.description !== "" && <Text size="sm">{model.description}</Text>}
          {model.status === "ready" && model.kind !== "recorded" && (
            <ModelHealth modelId={model.id} />
          )}
          {model.rejection !== null && (
            <Text size="sm" c="var(--db-bad)">
              {model.rejection}
            </Text>
          )}
        </div>
        {model.kind !== "recorded" && (
          <Button
            size="compact-sm"
            variant="default"
            loading={check.isPending}
            onClick={() => check.mutate()}
            aria-label={t("list.check", { name: model.name })}
          >
            {t("list.checkShort")}
          </Button>
        )}
      </Group>
      <FormAlert error={check.error} />
      {answer !== undefined && (
        <Stack gap="xs" mt="xs" role="status" className={classes.trial}>
          <Text fw={600}>{t("trial.title", { name: model.name })}</Text>
          {answer.error === null ? (
            <>
              {Object.entries(answer.outputs).map(([name, value]) => (
                <Text key={name}>{`${name}: ${valueInWords(value) ?? JSON.stringify(value)}`}</Text>
              ))}
              {answer.probabilities !== null && (
                <ProbabilityBars probabilities={answer.probabilities} />
              )}
              <Text size="sm" c="dimmed">
                {t("trial.latency", { ms: formatNumber(answer.latency_ms, i18n.language, 1) })}
              </Text>
            </>
          ) : (
            <Text c="var(--db-bad)">{t("trial.failed", { error: answer.error })}</Text>
          )}
        </Stack>
      )}
    </li>
  );
}
