import { Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { Empty } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { useDraft } from "../../lib/draft-storage";
import { formatDateTime } from "../../lib/format";
import { valueInWords } from "../../lib/value-words";
import classes from "./context-view.module.css";
import { type Draft, EMPTY_DRAFT, recallContext } from "./desk";

interface NoOpenRoundProps {
  slug: string;
  /** The latest round, which takes nothing now; null before the first. */
  round: Schemas["RoundRead"] | null;
  user: string | null;
  /** When it will take examples, where that is to come. */
  opens: string | null;
}

/** No round takes examples: says why, what to do, and shows the draft that was left. */
export function NoOpenRound({ slug, round, user, opens }: NoOpenRoundProps) {
  const { t, i18n } = useTranslation("compose");
  return (
    <Stack gap="md">
      <Empty
        title={t("noRound.title")}
        action={
          <Group gap="xs">
            <Button component={Link} to={`/tasks/${slug}`}>
              {t("noRound.task")}
            </Button>
          </Group>
        }
      >
        {round === null && t("noRound.never")}
        {round !== null &&
          opens === null &&
          t("noRound.closed", { number: round.number, status: round.status })}
        {round !== null &&
          opens !== null &&
          t("noRound.opens", {
            number: round.number,
            when: formatDateTime(opens, i18n.language),
          })}{" "}
        {opens === null && t("noRound.sandbox")}
      </Empty>
      {round !== null && user !== null && <KeptDraft user={user} slug={slug} roundId={round.id} />}
    </Stack>
  );
}

interface KeptDraftProps {
  user: string;
  slug: string;
  roundId: string;
}

function KeptDraft({ user, slug, roundId }: KeptDraftProps) {
  const { t } = useTranslation("compose");
  const desk = { user, task: slug, round: roundId };
  const [draft] = useDraft<Draft>({ ...desk, context: recallContext(desk) ?? "" }, EMPTY_DRAFT);
  const texts = Object.values(draft.inputs)
    .map((value) => valueInWords(value))
    .filter((text) => text !== null);
  if (texts.length === 0) return null;
  return (
    <section>
      <Text mb={8}>{t("noRound.draft")}</Text>
      {texts.map((text) => (
        <p key={text} className={classes.passage} dir="auto">
          {text}
        </p>
      ))}
    </section>
  );
}
