import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ProbabilityBars } from "../../components/ui/probability-bars";
import type { Schemas } from "../../lib/api-client";
import { formatPercent } from "../../lib/format";
import type { DrawnConfig, FieldValues } from "../../lib/task-config";
import classes from "./answers.module.css";
import { answerInWords, certainty, labelsIn } from "./values";

interface AnswersProps {
  answer: FieldValues;
  predictions: readonly Schemas["PredictionRead"][];
  config: DrawnConfig;
}

/** What the person said beside what every target said, with all probabilities. */
export function Answers({ answer, predictions, config }: AnswersProps) {
  return (
    <Stack gap="sm">
      {predictions.map((prediction, place) => (
        <TargetAnswer
          key={prediction.model_id ?? place}
          answer={answer}
          prediction={prediction}
          config={config}
          isOnly={predictions.length === 1}
        />
      ))}
    </Stack>
  );
}

interface TargetAnswerProps {
  answer: FieldValues;
  prediction: Schemas["PredictionRead"];
  config: DrawnConfig;
  isOnly: boolean;
}

function TargetAnswer({ answer, prediction, config, isOnly }: TargetAnswerProps) {
  const { t, i18n } = useTranslation("compose");
  const answered = config.answers.length === 0 ? null : answerInWords(answer, config);
  const predicted = answerInWords(prediction.outputs, config) ?? t("answers.nothing");
  const { byLabel, ofAnswer } = certainty(prediction, config);
  const { model_name: name, model_version: version } = prediction;
  // Which model answered is not told where an earlier one answers some of the time.
  const model =
    name === null || version === null
      ? t("answers.model")
      : t("answers.modelName", { name, version });
  return (
    <div>
      <dl className={classes.pair}>
        {answered !== null && (
          <div>
            <dt>{t("answers.you")}</dt>
            <dd dir="auto">{answered}</dd>
          </div>
        )}
        <div>
          <dt>{isOnly ? t("answers.model") : model}</dt>
          <dd>
            <bdi>{predicted}</bdi>
            {ofAnswer !== null && (
              <Text span c="dimmed">
                {" "}
                {t("answers.sure", { share: formatPercent(ofAnswer, i18n.language) })}
              </Text>
            )}
          </dd>
        </div>
      </dl>
      {byLabel !== null && (
        <ProbabilityBars
          probabilities={byLabel}
          predicted={labelsIn(prediction.outputs, config)}
          answered={labelsIn(answer, config)}
        />
      )}
    </div>
  );
}
