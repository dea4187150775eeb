import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { askedFields } from "../../components/ui/fields/metadata-fields";
import { KeyButton } from "../../components/ui/key-button";
import type { DraftPlace } from "../../lib/draft-storage";
import type { DrawnConfig, FieldValues, MulticlassField } from "../../lib/task-config";
import { DetailsForm } from "./details-form";
import classes from "./validate.module.css";

const MOST_KEYS = 9;

interface BlindBallotProps {
  config: DrawnConfig;
  context: FieldValues;
  place: DraftPlace;
  onAnswer: (answer: FieldValues, metadata: FieldValues) => void;
  onFlag: (metadata: FieldValues) => void;
}

/** The task's own question, answered anew; or the example is flagged. */
export function BlindBallot({ config, context, place, onAnswer, onFlag }: BlindBallotProps) {
  const { t } = useTranslation("validate");
  const sources = [...config.context, ...config.inputs];
  const [isFlagging, setFlagging] = useState(false);
  // Whether the answer is right is not known here, so only fields for every vote are asked.
  const always = askedFields(config.validateMetadata, {});
  const flagged = askedFields(config.validateMetadata, { vote: "flagged" });
  const [only, ...others] = config.answers;
  const isOneLabel = only?.type === "multiclass" && others.length === 0 && always.length === 0;
  const flag = () => (flagged.length === 0 ? onFlag({}) : setFlagging(true));
  const save = (values: FieldValues) => {
    const answers = new Set(config.answers.map(({ name }) => name));
    const part = (wanted: boolean) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => answers.has(name) === wanted));
    onAnswer(part(true), part(false));
  };
  if (isFlagging) {
    return (
      <DetailsForm
        key="flag"
        fields={flagged}
        context={context}
        sources={sources}
        place={place}
        save={t("saveFlag")}
        onSave={onFlag}
        onBack={() => setFlagging(false)}
      />
    );
  }
  const flagButton = (
    <KeyButton
      keys="f"
      variant="default"
      onKey={flag}
      leftSection={
        <Text span c="var(--db-warning)" aria-hidden>
          ⚑
        </Text>
      }
    >
      {t("vote.flagged")}
    </KeyButton>
  );
  if (isOneLabel) {
    return (
      <div
        className={`${classes.answers} ${classes.labels}`}
        role="group"
        aria-label={t("question.blind")}
      >
        <LabelButtons field={only} onAnswer={(label) => onAnswer({ [only.name]: label }, {})} />
        {flagButton}
      </div>
    );
  }
  return (
    <Stack gap="sm">
      <DetailsForm
        fields={[...config.answers, ...always]}
        context={context}
        sources={sources}
        place={place}
        save={t("saveAnswer")}
        onSave={save}
        required={config.answers.map(({ name }) => name)}
      />
      <div>{flagButton}</div>
    </Stack>
  );
}

interface LabelButtonsProps {
  field: MulticlassField;
  onAnswer: (label: string) => void;
}

/** One press answers. Radio buttons would answer with the first arrow key. */
function LabelButtons({ field, onAnswer }: LabelButtonsProps) {
  return field.labels.map((label, index) =>
    index < MOST_KEYS ? (
      <KeyButton
        key={label}
        keys={String(index + 1)}
        variant="default"
        onKey={() => onAnswer(label)}
      >
        {label}
      </KeyButton>
    ) : (
      <Button key={label} variant="default" onClick={() => onAnswer(label)}>
        {label}
      </Button>
    ),
  );
}
