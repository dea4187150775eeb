import { Button, Group, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { FieldValues } from "../../components/ui/fields/field-values";
import { FormAlert } from "../../components/ui/form-alert";
import { MoreButton } from "../../components/ui/more-button";
import { Section } from "../../components/ui/section";
import { formatNumber } from "../../lib/format";
import type { DrawnConfig } from "../../lib/task-config";
import { valuesInWords } from "../../lib/value-words";
import { type Suspicion, suspectedQuery, useSettle } from "./queries";
import classes from "./scales.module.css";

interface SuspectedListProps {
  roundId: string;
  config: DrawnConfig;
  /** Nobody settles what they wrote themselves. */
  reader: string | null;
}

/** Released examples whose gold answer may be wrong; nothing where none ever was. */
export function SuspectedList({ roundId, config, reader }: SuspectedListProps) {
  const { t } = useTranslation("scales");
  const found = useInfiniteQuery(suspectedQuery(roundId));
  const first = found.data?.pages[0];
  if (first === undefined || first.open + first.right + first.wrong === 0) return null;
  const items = found.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section title={t("suspected.title")}>
      <Text maw="72ch">{t("suspected.explain")}</Text>
      <Text size="sm" c="dimmed" role="status">
        {t("suspected.counts", { open: first.open, right: first.right, wrong: first.wrong })}
      </Text>
      {items.length === 0 && <Text mt="xs">{t("suspected.settled")}</Text>}
      <ul className={classes.list}>
        {items.map((item) => (
          <Suspected
            key={item.example.example.id}
            roundId={roundId}
            item={item}
            config={config}
            isOwn={item.example.example.annotator === reader}
          />
        ))}
      </ul>
      <MoreButton list={found}>{t("suspected.more")}</MoreButton>
    </Section>
  );
}

interface SuspectedProps {
  roundId: string;
  item: Suspicion;
  config: DrawnConfig;
  isOwn: boolean;
}

function Suspected({ roundId, item, config, isOwn }: SuspectedProps) {
  const { t } = useTranslation("scales");
  const settle = useSettle(roundId);
  const { example, context, gold } = item.example;
  const answer = valuesInWords(gold ?? example.answer, config.answers) ?? "";
  return (
    <li className={classes.item}>
      <Stack gap="xs">
        <FieldValues fields={config.context} values={context} size="sm" />
        <FieldValues fields={config.inputs} values={example.inputs} />
        <Text fw={600}>{t("suspected.gold", { answer })}</Text>
        <Text size="sm" c="dimmed">
          {t("suspected.author", { annotator: example.annotator })}
        </Text>
        <Evidence item={item} />
        {isOwn ? (
          <Text size="sm">{t("suspected.own")}</Text>
        ) : (
          <Group gap="xs">
            {(["right", "wrong"] as const).map((finding) => (
              <Button
                key={finding}
                variant="default"
                size="compact-sm"
                loading={settle.isPending && settle.variables.finding === finding}
                onClick={() => settle.mutate({ id: example.id, finding })}
              >
                {finding === "right" ? t("suspected.isRight") : t("suspected.isWrong")}
              </Button>
            ))}
          </Group>
        )}
        {settle.error !== null && <FormAlert error={settle.error} />}
      </Stack>
    </li>
  );
}

function Evidence({ item: { responses, votes } }: { item: Suspicion }) {
  const { t, i18n } = useTranslation("scales");
  return (
    <Text component="div" size="sm">
      {responses !== null && (
        <p className={classes.evidence}>
          {t("suspected.responses", {
            count: responses.models,
            correlation: formatNumber(responses.correlation, i18n.language, 2),
          })}{" "}
          {responses.strongest_wrong.length > 0 &&
            t("suspected.strongest", { models: responses.strongest_wrong.join(", ") })}{" "}
          {responses.weakest_right.length > 0 &&
            t("suspected.weakest", { models: responses.weakest_right.join(", ") })}
        </p>
      )}
      {votes !== null && (
        <p className={classes.evidence}>
          {t("suspected.votes", {
            count: votes.votes,
            label: votes.label,
            probability: formatNumber(votes.probability, i18n.language),
          })}
        </p>
      )}
    </Text>
  );
}
