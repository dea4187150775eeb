import "../lib/i18n/later/live";
import "../lib/i18n/later/releases";

import { Group, Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type ReactNode, useCallback } from "react";
import { useTranslation } from "react-i18next";

import { AnchorLink, ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Section } from "../components/ui/section";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { JobProgress } from "../features/jobs/job-progress";
import { RoundLive } from "../features/live/live-numbers";
import { TargetHealth } from "../features/models/target-health";
import { ReleasePanel } from "../features/releases/release-panel";
import { Agreement } from "../features/rounds/agreement";
import { AnnotatorBoard } from "../features/rounds/annotator-board";
import { ArmTable } from "../features/rounds/arm-table";
import { DayBars } from "../features/rounds/day-bars";
import { OwnerPanel } from "../features/rounds/owner-panel";
import {
  agreementQuery,
  annotatorsQuery,
  daysQuery,
  errorRateQuery,
  type Round,
  roundListQuery,
} from "../features/rounds/queries";
import { RoundFacts } from "../features/rounds/round-facts";
import { RoundRates } from "../features/rounds/round-rates";
import { RoundStatus } from "../features/rounds/round-status";
import { taskQuery } from "../features/tasks/queries";
import type { Schemas } from "../lib/api-client";
import { useOpensLater } from "../lib/opens-later";
import { taskText } from "../lib/task-text";

/** One round: what it asks, how hard its targets are, who wrote, and what its owners can do. */
export function RoundPage() {
  const { slug, number } = useParams({ from: "/tasks/$slug/rounds/$number" });
  const { t, i18n } = useTranslation("rounds");
  const task = useQuery(taskQuery(slug));
  const rounds = useQuery(roundListQuery(slug));
  const header = (
    <PageHeader
      title={
        task.data === undefined
          ? t("loadingTitle")
          : t("title", { task: taskText(task.data, "title", i18n.language), number })
      }
    />
  );
  const inHeader = (content: ReactNode) => (
    <>
      {header}
      {content}
    </>
  );
  if (task.data === undefined || rounds.data === undefined) {
    const failed = task.isError ? task : rounds;
    return inHeader(
      <QueryView<unknown> query={failed} loading={<Loading lines={8} />}>
        {() => <Loading lines={8} />}
      </QueryView>,
    );
  }
  const round = rounds.data.find((one) => String(one.number) === number);
  if (round === undefined) {
    return inHeader(
      <Empty
        title={t("notFound", { number })}
        action={
          <ButtonLink to="/tasks/$slug" params={{ slug }} mt="xs">
            {t("toTask")}
          </ButtonLink>
        }
      >
        {t("notFoundNext")}
      </Empty>,
    );
  }
  return <OneRound task={task.data} round={round} />;
}

function OneRound({ task, round }: { task: Schemas["TaskRead"]; round: Round }) {
  const { t, i18n } = useTranslation("rounds");
  const isDraft = round.status === "draft";
  return (
    <>
      <PageHeader
        title={t("title", { task: taskText(task, "title", i18n.language), number: round.number })}
        subtitle={
          <Group gap="sm">
            <RoundStatus status={round.status} />
            <AnchorLink to="/tasks/$slug" params={{ slug: task.slug }}>
              {t("toTask")}
            </AnchorLink>
            {task.my_role === "owner" && (
              <AnchorLink to="/tasks/$slug/owner" params={{ slug: task.slug }}>
                {t("toConsole")}
              </AnchorLink>
            )}
          </Group>
        }
        actions={<RoundLinks slug={task.slug} round={round} />}
      />
      <Stack gap="xl">
        {task.my_role === "owner" && (
          <OwnerPanel
            slug={task.slug}
            round={round}
            health={<TargetHealth targets={round.targets} />}
          >
            <ReleasePanel
              slug={task.slug}
              round={round}
              renderJob={(jobId) => (
                <JobProgress jobId={jobId} title={t("actions.release", { number: round.number })} />
              )}
            />
          </OwnerPanel>
        )}
        {!isDraft && <Figures roundId={round.id} />}
        {!isDraft && <ArmTable round={round} />}
        <Section title={t("sections.facts")}>
          <RoundFacts round={round} />
        </Section>
      </Stack>
    </>
  );
}

function RoundLinks({ slug, round }: { slug: string; round: Round }) {
  const { t } = useTranslation("rounds");
  const opens = useOpensLater(round);
  const votes = round.status === "open" || round.status === "closed";
  return (
    <>
      {round.status === "open" && opens === null && (
        <ButtonLink to="/tasks/$slug/create" params={{ slug }}>
          {t("create")}
        </ButtonLink>
      )}
      {votes && (
        <ButtonLink
          to="/tasks/$slug/validate"
          params={{ slug }}
          search={{ round: round.number }}
          variant="default"
        >
          {t("validate")}
        </ButtonLink>
      )}
    </>
  );
}

function Figures({ roundId }: { roundId: string }) {
  const { t } = useTranslation("rounds");
  const rates = useQuery(errorRateQuery(roundId));
  const days = useQuery(daysQuery(roundId));
  const annotators = useQuery(annotatorsQuery(roundId));
  const agreement = useQuery(agreementQuery(roundId));
  const { t: tLive } = useTranslation("live");
  return (
    <>
      <Section title={tLive("title")}>
        <LiveRound roundId={roundId} />
      </Section>
      <Section title={t("sections.rates")}>
        <QueryView query={rates}>{(found) => <RoundRates rates={found} />}</QueryView>
      </Section>
      <Section title={t("sections.days")}>
        <QueryView
          query={days}
          isEmpty={(found) => found.length === 0}
          empty={<Empty title={t("days.none")} />}
        >
          {(found) => <DayBars days={found} />}
        </QueryView>
      </Section>
      <Section title={t("sections.board")}>
        <QueryView query={annotators}>{(found) => <AnnotatorBoard board={found} />}</QueryView>
      </Section>
      <Section title={t("sections.agreement")}>
        <QueryView query={agreement}>{(found) => <Agreement agreement={found} />}</QueryView>
      </Section>
    </>
  );
}

/** The numbers as they change, and the same error rates where the page says them elsewhere. */
function LiveRound({ roundId }: { roundId: string }) {
  const client = useQueryClient();
  const agree = useCallback(
    (numbers: Schemas["RoundNumbersRead"]) => {
      const { model_error_rate, validated_model_error_rate, pending } = numbers;
      const rates = { model_error_rate, validated_model_error_rate, pending };
      client.setQueryData(
        errorRateQuery(roundId).queryKey,
        (known) => known && { ...known, ...rates },
      );
    },
    [client, roundId],
  );
  return <RoundLive roundId={roundId} onNumbers={agree} />;
}
