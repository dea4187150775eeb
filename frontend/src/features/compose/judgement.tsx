import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { Schemas } from "../../lib/api-client";

type Predictions = readonly Schemas["PredictionRead"][];

/** Whether the author has said already whether the answers are wrong. */
export function hasAuthorSpoken(predictions: Predictions): boolean {
  return predictions.some(({ judgement }) => (judgement?.author_says_wrong ?? null) !== null);
}

/** What the judge of a rubric says of each answer; nothing where no rubric holds. */
export function Judgements({ predictions }: { predictions: Predictions }) {
  return predictions.map((prediction, place) => (
    <Judgement
      key={prediction.model_id ?? place}
      prediction={prediction}
      isOnly={predictions.length === 1}
    />
  ));
}

interface JudgementProps {
  prediction: Schemas["PredictionRead"];
  isOnly: boolean;
}

function Judgement({ prediction, isOnly }: JudgementProps) {
  const { t } = useTranslation("compose");
  const { judgement } = prediction;
  if (judgement === null || judgement === undefined) return null;
  const { broken, reason } = judgement;
  const of = prediction.model_name ?? t("answers.model");
  const said =
    broken === null
      ? t("judge.silent")
      : broken.length === 0
        ? t("judge.fine")
        : t("judge.broken", { count: broken.length, names: broken.join(", ") });
  return (
    <Text size="sm" dir="auto">
      <strong>{isOnly ? t("judge.name") : t("judge.of", { name: of })}</strong> {said}{" "}
      {reason ?? ""}
    </Text>
  );
}
