import { Group, Stack, Text, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import type { DrawnConfig, FieldValues } from "../../lib/task-config";
import type { Desk } from "./desk";
import { TryCard } from "./try-card";
import classes from "./workbench.module.css";

interface TriesProps {
  tries: UseQueryResult<Schemas["ExampleRead"][]>;
  triesLeft: number;
  /** Whether what the model answers is told before the round is closed. */
  isModelShown: boolean;
  round: Schemas["RoundRead"];
  desk: Desk;
  config: DrawnConfig;
  context: FieldValues;
}

/** The tries on the context on the desk, the latest whole and on top. */
export function Tries({
  tries,
  triesLeft,
  isModelShown,
  round,
  desk,
  config,
  context,
}: TriesProps) {
  const { t } = useTranslation("compose");
  return (
    <section
      className={classes.tries}
      aria-label={t("tries.title")}
      data-empty={tries.data?.length === 0}
    >
      <Group justify="space-between" className={classes.heading}>
        <Title order={2} size="md">
          {t("tries.title")}
        </Title>
        <Text size="sm" c="dimmed">
          {t("tries.left", { count: triesLeft })}
        </Text>
      </Group>
      <QueryView
        query={tries}
        isEmpty={(list) => list.length === 0}
        empty={<Text c="dimmed">{t(isModelShown ? "tries.none" : "tries.noneShown")}</Text>}
      >
        {(list) => (
          <Stack gap="xs">
            <ShowLatest id={list[0]?.id} />
            {list.map((example, index) => (
              <TryCard
                key={example.id}
                example={example}
                round={round}
                desk={desk}
                config={config}
                context={context}
                isLatest={index === 0}
              />
            ))}
          </Stack>
        )}
      </QueryView>
    </section>
  );
}

/** Brings a new answer into view where the column was scrolled away; draws nothing. */
function ShowLatest({ id }: { id: string | undefined }) {
  const place = useRef<HTMLSpanElement>(null);
  const shown = useRef(id);
  useEffect(() => {
    if (shown.current === id) return;
    shown.current = id;
    place.current?.nextElementSibling?.scrollIntoView({ block: "nearest" });
  }, [id]);
  return <span ref={place} hidden />;
}
