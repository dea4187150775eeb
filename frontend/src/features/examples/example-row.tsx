import { Checkbox, Group, Spoiler, Stack, Text } from "@mantine/core";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";

import { FieldValues, textMarks } from "../../components/ui/fields/field-values";
import { AnchorLink } from "../../components/ui/links";
import type { Schemas } from "../../lib/api-client";
import { formatDateTime } from "../../lib/format";
import type { DrawnConfig } from "../../lib/task-config";
import { namedValuesInWords, valuesInWords } from "../../lib/value-words";
import classes from "./examples.module.css";
import type { Outcome } from "./queries";
import { Votes } from "./votes";

const CONTEXT_HEIGHT = 96;

interface ExampleRowProps {
  outcome: Outcome;
  config: DrawnConfig;
  isSelected: boolean;
  onToggle: () => void;
  onFocus: () => void;
  rowRef: Ref<HTMLLIElement>;
}

/** One example with everything that is known of it, to be chosen. */
export function ExampleRow(props: ExampleRowProps) {
  const { outcome, config, isSelected, onToggle, onFocus, rowRef } = props;
  const { t } = useTranslation(["examples", "ui"]);
  const { example, context } = outcome;
  const words = valuesInWords(example.inputs, config.inputs) ?? "";
  const marks = textMarks([...config.inputs, ...config.answers], {
    ...example.inputs,
    ...example.answer,
  });
  return (
    <li
      ref={rowRef}
      className={classes.row}
      data-selected={isSelected}
      // The keys J and K move here; Tab goes to the box.
      tabIndex={-1}
    >
      <Checkbox
        checked={isSelected}
        onChange={onToggle}
        onFocus={onFocus}
        aria-label={t("row.select", { annotator: example.annotator, words })}
      />
      <div className={classes.parts}>
        <Stack gap="xs">
          <div className={classes.context}>
            <Spoiler
              maxHeight={CONTEXT_HEIGHT}
              showLabel={t("row.more")}
              hideLabel={t("row.less")}
              transitionDuration={0}
            >
              <FieldValues fields={config.context} values={context} marks={marks} size="sm" />
            </Spoiler>
          </div>
          <FieldValues fields={config.inputs} values={example.inputs} marks={marks} />
          <FieldValues fields={config.createMetadata} values={example.explanations} size="sm" />
        </Stack>
        <Stack gap="xs">
          <Standing outcome={outcome} />
          <Answers outcome={outcome} config={config} />
          <Votes votes={outcome.votes} config={config} />
          <Origin outcome={outcome} />
        </Stack>
      </div>
    </li>
  );
}

/** Where the example stands, in words. */
function Standing({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation("examples");
  const { example, verdict, fooled } = outcome;
  const more = [
    fooled === null ? t("row.fooledUnknown") : fooled ? t("row.fooled") : t("row.notFooled"),
    outcome.is_voided ? t("row.voided") : null,
    example.retracted_at === null ? null : t("row.retracted"),
    example.flagged_at === null
      ? null
      : t("row.flagged", { reason: example.flag_reason ?? t("row.noReason") }),
  ];
  return (
    <Group gap="xs">
      <Text span className={classes.verdict} data-verdict={verdict}>
        {t(`verdict.${verdict}`)}
      </Text>
      <Text span>{more.filter((part) => part !== null).join(" · ")}</Text>
    </Group>
  );
}

/** What the author, the models and the validators hold to be right. */
function Answers({ outcome, config }: { outcome: Outcome; config: DrawnConfig }) {
  const { t } = useTranslation("examples");
  const { example, gold } = outcome;
  const author = namedValuesInWords(example.answer, config.answers);
  const agreed = namedValuesInWords(gold ?? {}, config.answers);
  return (
    <Text size="sm" component="div">
      {config.answers.length > 0 && <div>{t("row.author", { answer: author ?? "–" })}</div>}
      {example.predictions.map((prediction, place) => (
        <div key={prediction.model_id ?? place}>
          {t("row.model", {
            name: nameOf(prediction),
            answer: namedValuesInWords(prediction.outputs, config.outputs) ?? "–",
          })}
        </div>
      ))}
      {agreed !== null && agreed !== author && <div>{t("row.gold", { answer: agreed })}</div>}
    </Text>
  );
}

/** An owner who writes is not told who answered while the round collects. */
function nameOf({ model_name: name, model_version: version }: Schemas["PredictionRead"]): string {
  return name === null || version === null ? "–" : `${name} v${version}`;
}

function Origin({ outcome: { example, context_tag } }: { outcome: Outcome }) {
  const { t, i18n } = useTranslation("examples");
  return (
    <Text size="sm" c="dimmed" component="div">
      <AnchorLink
        to="/users/$username"
        params={{ username: example.annotator }}
        inherit
        underline="always"
      >
        {example.annotator}
      </AnchorLink>
      {[
        "",
        formatDateTime(example.created_at, i18n.language),
        ...(context_tag === "" ? [] : [t("row.tag", { tag: context_tag })]),
      ].join(" · ")}
    </Text>
  );
}
