import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { FormAlert } from "../../components/ui/form-alert";
import type { Schemas } from "../../lib/api-client";
import type { DrawnConfig, FieldValues } from "../../lib/task-config";
import { Answers } from "./answers";
import type { Desk } from "./desk";
import { Explanations } from "./explanations";
import { FlagButton } from "./flag-button";
import { hasAuthorSpoken, Judgements } from "./judgement";
import { useChangeExample, useRetractExample } from "./queries";
import classes from "./try-card.module.css";
import { TargetsLine, Verdict } from "./verdict";
import { Written } from "./written";

interface TryCardProps {
  example: Schemas["ExampleRead"];
  round: Schemas["RoundRead"];
  desk: Desk;
  config: DrawnConfig;
  context: FieldValues;
  /** The latest try is shown whole; earlier ones open on demand. */
  isLatest: boolean;
}

/** One stored try: what was written, who said what, whether it fooled, and what can be done. */
export function TryCard(props: TryCardProps) {
  const { example, round, config, isLatest } = props;
  const { t } = useTranslation("compose");
  const [isOpen, setOpen] = useState(false);
  const isWhole = isLatest || isOpen;
  return (
    <article className={classes.card} data-latest={isLatest}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Written inputs={example.inputs} config={config} isWhole={isWhole} />
        {!isLatest && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t("card.less") : t("card.more")}
          </Button>
        )}
      </Group>
      {isWhole && (
        <Answers answer={example.answer} predictions={example.predictions} config={config} />
      )}
      <StateOf
        example={example}
        round={round}
        asksUser={config.asksUser}
        advice={isLatest ? t("verdict.tryAgain") : ""}
      />
      {isWhole && <TargetsLine predictions={example.predictions} policy={round.target_policy} />}
      {isWhole && <Deeds {...props} />}
    </article>
  );
}

interface StateOfProps {
  example: Schemas["ExampleRead"];
  round: Schemas["RoundRead"];
  asksUser: boolean;
  /** What to do where the model was right. */
  advice: string;
}

function StateOf({ example, round, asksUser, advice }: StateOfProps) {
  const { t } = useTranslation("compose");
  const count = round.validation.quorum;
  if (example.retracted_at !== null) return <Text c="dimmed">{t("verdict.retracted")}</Text>;
  if (!example.is_model_shown) return <Text>{t("verdict.stored")}</Text>;
  const hasSpoken = hasAuthorSpoken(example.predictions);
  if (example.fooled === null && asksUser && !hasSpoken) {
    return <AskAuthor exampleId={example.id} predictions={example.predictions} />;
  }
  return (
    <Verdict
      fooled={example.fooled}
      open={hasSpoken ? t("judge.disagree") : t("verdict.validatorsDecide", { count })}
      next={{ fooled: t("verdict.waiting", { count }), right: advice }}
    />
  );
}

interface AskAuthorProps {
  exampleId: string;
  predictions: Schemas["ExampleRead"]["predictions"];
}

/** Where no rule can tell, its author says whether the model was fooled. */
function AskAuthor({ exampleId, predictions }: AskAuthorProps) {
  const { t } = useTranslation("compose");
  const change = useChangeExample(exampleId);
  const count = predictions.length;
  const say = (isFooled: boolean) => change.mutate({ user_says_fooled: isFooled });
  return (
    <Stack gap="xs" className={classes.question}>
      <Judgements predictions={predictions} />
      <Text fw={600}>{t("verdict.ask", { count })}</Text>
      <Group gap="xs">
        <Button loading={change.isPending} onClick={() => say(true)}>
          {t("verdict.sayWrong", { count })}
        </Button>
        <Button variant="default" disabled={change.isPending} onClick={() => say(false)}>
          {t("verdict.sayRight", { count })}
        </Button>
      </Group>
      <FormAlert error={change.error} />
    </Stack>
  );
}

/** Explain, take back, point at. */
function Deeds({ example, desk, config, context }: TryCardProps) {
  const { t } = useTranslation("compose");
  const retract = useRetractExample(example.id);
  const isRetracted = example.retracted_at !== null;
  return (
    <>
      {!isRetracted && (
        <Explanations example={example} desk={desk} config={config} context={context} />
      )}
      {example.flag_reason !== null && (
        <Text size="sm" c="dimmed">
          {t("flag.done", { reason: example.flag_reason })}
        </Text>
      )}
      <Group gap="xs" className={classes.deeds}>
        {!isRetracted && (
          <ConfirmButton
            variant="subtle"
            size="compact-sm"
            consequence={t("retract.consequence")}
            onConfirm={() => retract.mutateAsync()}
          >
            {t("retract.button")}
          </ConfirmButton>
        )}
        {example.flagged_at === null && <FlagButton exampleId={example.id} />}
      </Group>
    </>
  );
}
