import { Anchor, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { Markdown } from "../../components/ui/markdown";
import { Empty, QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { inLanguage } from "../../lib/local-text";
import { readConfig } from "../../lib/task-config";
import { DataSection } from "./data-section";
import { DaySection } from "./day-section";
import { comparesReplies } from "./metric-words";
import { PeopleSection } from "./people-section";
import { PreferenceSection } from "./preference-section";
import { currentRoundQuery } from "./queries";
import { RoundSection } from "./round-section";
import { RoundsSection } from "./rounds-section";
import classes from "./task-sections.module.css";

interface TaskSectionsProps {
  task: Schemas["TaskRead"];
  /** What the reader did in the current round. */
  renderProgress: (roundId: string) => ReactNode;
  /** The current round's numbers, as they change. */
  live: ReactNode;
  /** Every model on every round: what the task is for. */
  history: ReactNode;
}

/** One section under another, each with an anchor, and their list on top. */
export function TaskSections({ task, renderProgress, live, history }: TaskSectionsProps) {
  const { t, i18n } = useTranslation("tasks");
  const current = useQuery(currentRoundQuery(task.slug));
  const goal = inLanguage(readConfig(task.config).goalMessage, i18n.language);
  const round = current.data?.round ?? null;
  const withRound = ["rounds", "days", "people"] as const;
  const isCompared = comparesReplies(task.config);
  const names = [
    "now",
    ...(round === null ? [] : (["live"] as const)),
    ...(isCompared ? [] : (["history"] as const)),
    ...(round === null ? [] : withRound),
    ...(isCompared ? (["preferences"] as const) : []),
    "data",
    "goal",
  ] as const;
  return (
    <>
      {goal !== "" && (
        <Text fw={600} mb="sm">
          {goal}
        </Text>
      )}
      <Group component="nav" gap="0.25rem 1rem" mb="md" aria-label={t("page.sections")}>
        {names.map((name) => (
          <Anchor key={name} href={`#${name}`} size="sm">
            {t(`page.${name}`)}
          </Anchor>
        ))}
      </Group>
      <Section name="now">
        <QueryView
          query={current}
          isEmpty={(latest) => latest === null}
          empty={<Empty title={t("page.noRound")}>{t("page.noRoundNext")}</Empty>}
        >
          {(latest) =>
            latest !== null && (
              <RoundSection current={latest} progress={renderProgress(latest.round.id)} />
            )
          }
        </QueryView>
      </Section>
      {round !== null && <Section name="live">{live}</Section>}
      {!isCompared && <Section name="history">{history}</Section>}
      {round !== null && (
        <>
          <Section name="rounds">
            <RoundsSection slug={task.slug} />
          </Section>
          <Section name="days">
            <DaySection roundId={round.id} />
          </Section>
          <Section name="people">
            <PeopleSection round={round} />
          </Section>
        </>
      )}
      {isCompared && (
        <Section name="preferences">
          <PreferenceSection slug={task.slug} />
        </Section>
      )}
      <Section name="data">
        <DataSection slug={task.slug} />
      </Section>
      <Section name="goal">
        <Instructions task={task} />
      </Section>
    </>
  );
}

type SectionName =
  "now" | "live" | "history" | "rounds" | "days" | "people" | "preferences" | "data" | "goal";

function Section({ name, children }: { name: SectionName; children: ReactNode }) {
  const { t } = useTranslation("tasks");
  return (
    <section id={name} className={classes.section} aria-labelledby={`${name}-title`}>
      <Title order={2} size="h3" id={`${name}-title`} mb="sm">
        {t(`page.${name}`)}
      </Title>
      {children}
    </section>
  );
}

function Instructions({ task }: { task: Schemas["TaskRead"] }) {
  const { t, i18n } = useTranslation("tasks");
  const instructions = inLanguage(readConfig(task.config).instructions, i18n.language);
  return (
    <>
      {instructions === "" ? (
        <Text c="dimmed">{t("page.noGoal")}</Text>
      ) : (
        <Markdown topHeading={3}>{instructions}</Markdown>
      )}
      {task.owners.length > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {t("page.owners", { names: task.owners.join(", ") })}
        </Text>
      )}
    </>
  );
}
