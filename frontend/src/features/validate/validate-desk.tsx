import { Group, Stack } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { KeyButton } from "../../components/ui/key-button";
import { ButtonLink } from "../../components/ui/links";
import { Empty, Failed, Loading } from "../../components/ui/states";
import { hideUndoToast, showUndoToast } from "../../components/ui/undo-toast";
import type { DrawnConfig } from "../../lib/task-config";
import { ItemCard } from "./item-card";
import { OwnProgress } from "./own-progress";
import type { Ballot, Item } from "./queries";
import { UnsavedVoteNote } from "./unsaved-votes";
import classes from "./validate.module.css";
import { useVoting } from "./voting";

/** The server lets a vote be withdrawn for ten seconds; the request needs the rest. */
const UNDO_SECONDS = 9;

interface ValidateDeskProps {
  slug: string;
  roundId: string;
  user: string;
  config: DrawnConfig;
  /** Whether the round still collects, so that there may be more later. */
  isOpen: boolean;
  instructions?: ReactNode;
}

/** One example after the other, to be judged. */
export function ValidateDesk(props: ValidateDeskProps) {
  const { slug, roundId, user, config, isOpen, instructions } = props;
  const { t } = useTranslation("validate");
  const voting = useVoting({ user, roundId });
  const { query, item, session } = voting;
  const [startedAt] = useState(() => Date.now());
  const [hasMovedOn, setMovedOn] = useState(false);
  useEffect(() => hideUndoToast, []);
  const cast = (judged: Item, ballot: Ballot) => {
    setMovedOn(true);
    const undo = voting.cast(judged, ballot);
    const said = ballot.vote == null ? t("saved.answer") : t(`saved.${ballot.vote}`);
    const message = judged.mode === "blind" ? `${said} ${t("saved.undoBlind")}` : said;
    showUndoToast({ message, onUndo: undo, seconds: UNDO_SECONDS });
  };
  const skip = (passed: Item) => {
    setMovedOn(true);
    voting.skip(passed);
  };
  if (query.data === undefined) {
    if (!query.isError) return <Loading lines={6} />;
    return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <Stack className={classes.desk} gap="sm">
      <OwnProgress
        myVotes={query.data.my_votes}
        waiting={query.data.waiting}
        session={session}
        startedAt={startedAt}
      />
      {voting.unsaved.map((vote) => (
        <UnsavedVoteNote
          key={vote.key}
          vote={vote}
          onSendAgain={voting.sendAgain}
          onJudgeAgain={voting.judgeAgain}
          onDrop={voting.drop}
        />
      ))}
      {item === null ? (
        <NothingNow
          slug={slug}
          isOpen={isOpen}
          isLooking={query.isFetching || voting.isSaving}
          hasVoted={query.data.my_votes > 0}
        />
      ) : (
        <div>
          <ItemCard
            key={item.example_id}
            item={item}
            config={config}
            desk={{ user, task: slug, round: roundId }}
            takesFocus={hasMovedOn}
            onCast={(ballot) => cast(item, ballot)}
          />
          <Group gap="xs" className={classes.below}>
            <KeyButton keys="s" variant="subtle" onKey={() => skip(item)}>
              {t("skip")}
            </KeyButton>
            {instructions}
          </Group>
        </div>
      )}
    </Stack>
  );
}

interface NothingNowProps {
  slug: string;
  isOpen: boolean;
  isLooking: boolean;
  hasVoted: boolean;
}

/** Nothing waits for this validator: whether to come back, and what to do meanwhile. */
function NothingNow({ slug, isOpen, isLooking, hasVoted }: NothingNowProps) {
  const { t } = useTranslation("validate");
  if (isLooking) return <Loading lines={6} />;
  return (
    <Empty
      title={hasVoted ? t("empty.done") : t("empty.title")}
      action={
        isOpen ? (
          <ButtonLink to="/tasks/$slug/create" params={{ slug }} mt="xs">
            {t("empty.write")}
          </ButtonLink>
        ) : (
          <ButtonLink to="/tasks/$slug" params={{ slug }} mt="xs">
            {t("empty.task")}
          </ButtonLink>
        )
      }
    >
      {isOpen ? t("empty.later") : t("empty.over")}
    </Empty>
  );
}
