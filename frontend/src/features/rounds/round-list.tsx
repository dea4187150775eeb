import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";

import { AnchorLink } from "../../components/ui/links";
import { errorRateQuery, type Round } from "./queries";
import { RoundActions } from "./round-actions";
import { targetNames } from "./round-facts";
import { RoundRates } from "./round-rates";
import { RoundStatus } from "./round-status";
import classes from "./rounds.module.css";
import { ScheduleForm } from "./schedule-form";

interface RoundListProps {
  slug: string;
  rounds: readonly Round[];
  /** The form in which a draft is changed. */
  renderForm: (draft: Round, onDone: () => void) => ReactNode;
  /** What there is to do about a round's release. */
  renderRelease: (round: Round) => ReactNode;
}

/** A task's rounds, each with its figures and what can be done with it. */
export function RoundList({ slug, rounds, renderForm, renderRelease }: RoundListProps) {
  return (
    <Stack gap="md">
      {rounds.map((round) => (
        <RoundPanel
          key={round.id}
          slug={slug}
          round={round}
          renderForm={renderForm}
          renderRelease={renderRelease}
        />
      ))}
    </Stack>
  );
}

type RoundPanelProps = Omit<RoundListProps, "rounds"> & { round: Round };

function RoundPanel({ slug, round, renderForm, renderRelease }: RoundPanelProps) {
  const { t } = useTranslation("rounds");
  const isDraft = round.status === "draft";
  const [isChanging, setChanging] = useState(false);
  const rates = useQuery({ ...errorRateQuery(round.id), enabled: !isDraft });
  return (
    <Stack component="article" className={classes.panel} gap="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <Title order={3} size="h4">
            {t("list.round", { number: round.number })}
          </Title>
          <RoundStatus status={round.status} />
        </Group>
        <AnchorLink
          to="/tasks/$slug/rounds/$number"
          params={{ slug, number: String(round.number) }}
        >
          {t("list.page")}
        </AnchorLink>
      </Group>
      {round.targets.length > 0 && (
        <Text size="sm" c="dimmed">{`${t("facts.targets")}: ${targetNames(round)}`}</Text>
      )}
      {rates.data !== undefined && <RoundRates rates={rates.data} />}
      <Group gap="xs">
        <RoundActions slug={slug} round={round} pending={rates.data?.pending ?? 0} />
        {isDraft && !isChanging && (
          <Button variant="default" onClick={() => setChanging(true)}>
            {t("form.edit")}
          </Button>
        )}
        {round.status === "open" && !isChanging && (
          <Button variant="default" onClick={() => setChanging(true)}>
            {t("times.change")}
          </Button>
        )}
      </Group>
      {isChanging && isDraft && renderForm(round, () => setChanging(false))}
      {isChanging && round.status === "open" && (
        <ScheduleForm round={round} onDone={() => setChanging(false)} />
      )}
      {renderRelease(round)}
    </Stack>
  );
}
