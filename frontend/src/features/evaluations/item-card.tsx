import { Group, Spoiler, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { FieldValues, textMarks } from "../../components/ui/fields/field-values";
import { ProbabilityBars } from "../../components/ui/probability-bars";
import { isLabelList } from "../../lib/field-values";
import type { DrawnConfig } from "../../lib/task-config";
import { namedValuesInWords } from "../../lib/value-words";
import classes from "./evaluations.module.css";
import type { EvaluationItem } from "./queries";

const CONTEXT_HEIGHT = 120;

interface ItemTextProps {
  item: Pick<EvaluationItem, "context" | "inputs" | "tags" | "gold">;
  config: DrawnConfig;
}

/** What an item says, its context first. */
export function ItemText({ item, config }: ItemTextProps) {
  const { t } = useTranslation("evaluations");
  const fields = [...config.inputs, ...config.context];
  const marks = item.gold === null ? {} : textMarks(config.answers, item.gold);
  return (
    <Stack gap="xs">
      <div className={classes.context}>
        <Spoiler
          maxHeight={CONTEXT_HEIGHT}
          showLabel={t("items.showContext")}
          hideLabel={t("items.hideContext")}
        >
          <FieldValues
            fields={fields.filter(({ name }) => name in item.context)}
            values={item.context}
            marks={marks}
            size="sm"
          />
        </Spoiler>
      </div>
      <FieldValues fields={config.inputs} values={item.inputs} marks={marks} />
      {item.tags.length > 0 && (
        <Text size="sm" c="dimmed">
          {t("items.tags", { tags: item.tags.join(", ") })}
        </Text>
      )}
    </Stack>
  );
}

/** What was answered, in words. */
export function useAnswerWords(config: DrawnConfig) {
  const { t } = useTranslation("evaluations");
  return (values: Readonly<Record<string, unknown>>) =>
    namedValuesInWords(values, config.outputs) ?? t("items.nothing");
}

interface ItemCardProps {
  item: EvaluationItem;
  config: DrawnConfig;
}

/** One item beside what the model answered; gold where it may be seen. */
export function ItemCard({ item, config }: ItemCardProps) {
  const { t } = useTranslation("evaluations");
  const inWords = useAnswerWords(config);
  return (
    <li className={classes.item} tabIndex={-1}>
      <ItemText item={item} config={config} />
      <Stack gap="xs">
        <Group gap="xs">
          {item.outcome !== null && (
            <Text span className={classes.outcome} data-outcome={item.outcome}>
              {t(`mark.${item.outcome}`)}
            </Text>
          )}
          {item.transform !== null && (
            <Text span size="sm" c="dimmed">
              {t("items.transform", { name: item.transform.replaceAll("_", " ") })}
            </Text>
          )}
        </Group>
        <dl className={classes.answers}>
          <dt>{t("items.model")}</dt>
          <dd dir="auto">{item.error ?? inWords(item.outputs)}</dd>
          {item.gold !== null && (
            <>
              <dt>{t("items.gold")}</dt>
              <dd dir="auto">{inWords(item.gold)}</dd>
            </>
          )}
        </dl>
        {item.probabilities !== null && (
          <ProbabilityBars
            probabilities={item.probabilities}
            predicted={Object.values(item.outputs).flatMap((value) =>
              typeof value === "string" ? [value] : isLabelList(value) ? value : [],
            )}
          />
        )}
      </Stack>
    </li>
  );
}
