import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { useProblemText } from "../../components/ui/problem-text";
import classes from "./validate.module.css";
import { canBeMended, canBeSentAgain, type UnsavedVote } from "./voting";

interface UnsavedVoteProps {
  vote: UnsavedVote;
  onSendAgain: (vote: UnsavedVote) => void;
  onJudgeAgain: (vote: UnsavedVote) => void;
  onDrop: (vote: UnsavedVote) => void;
}

/** A vote that did not reach the server or was refused: what happened, and the way on. */
export function UnsavedVoteNote({ vote, onSendAgain, onJudgeAgain, onDrop }: UnsavedVoteProps) {
  const { t } = useTranslation("validate");
  const { sentence, lang } = useProblemText(vote.error);
  return (
    <Stack className={classes.unsaved} gap="xs" role="alert">
      <Text fw={600}>{t("unsaved.title")}</Text>
      <Text size="sm" lang={lang}>
        {sentence}
      </Text>
      <Group gap="xs">
        {canBeSentAgain(vote) && (
          <Button size="compact-md" onClick={() => onSendAgain(vote)}>
            {t("unsaved.sendAgain")}
          </Button>
        )}
        {canBeMended(vote) && (
          <Button size="compact-md" onClick={() => onJudgeAgain(vote)}>
            {t("unsaved.judgeAgain")}
          </Button>
        )}
        <Button size="compact-md" variant="default" onClick={() => onDrop(vote)}>
          {t("unsaved.drop")}
        </Button>
      </Group>
    </Stack>
  );
}
