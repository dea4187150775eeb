import { Group, Text, Title, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { KeyButton } from "../../components/ui/key-button";
import type { Schemas } from "../../lib/api-client";
import { useDraft } from "../../lib/draft-storage";
import type { FieldValue } from "../../lib/field-values";
import { useShortcut } from "../../lib/shortcuts";
import type { DrawnConfig } from "../../lib/task-config";
import { ChatDesk } from "./chat-desk";
import { contextTitle, ContextView } from "./context-view";
import { type Desk, type Draft, EMPTY_DRAFT, withValue } from "./desk";
import { myTriesQuery } from "./queries";
import { SendProblem } from "./send-problem";
import { fieldComplaints, needsAlert, useSubmission } from "./submission";
import { Tries } from "./tries";
import { answerInWords } from "./values";
import classes from "./workbench.module.css";
import { namesToFill, WritingFields } from "./writing-fields";
import { focusField, useEnterSubmits } from "./writing-form";

/** How the context on the desk is changed for another. */
export interface ContextChange {
  onNew: () => void;
  onSkip: () => void;
  /** Draws again from what was skipped; null where nothing was. */
  onLookAgain: (() => void) | null;
  isPending: boolean;
  error: unknown;
}

interface WorkbenchProps {
  assignment: Schemas["AssignmentRead"];
  round: Schemas["RoundRead"];
  desk: Desk;
  config: DrawnConfig;
  change: ContextChange;
  /** Whether it has just replaced another context, so that the hand goes on writing. */
  isReplacement: boolean;
}

/** One context, what is being written about it, and the tries so far. */
export function Workbench(props: WorkbenchProps) {
  const { assignment, round, desk, config, change, isReplacement } = props;
  const { t, i18n } = useTranslation("compose");
  const { context, tries_left: triesLeft } = assignment;
  const form = useRef<HTMLFormElement>(null);
  const [kept, write] = useDraft<Draft>({ ...desk, context: context.id }, EMPTY_DRAFT);
  const draft: Draft = { ...kept, answer: { ...assignment.goals, ...kept.answer } };
  const { send, isSending, error } = useSubmission(desk, context.id);
  const tries = useQuery(myTriesQuery(round.id, context.id));
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (isReplacement) focusField(form.current);
  }, [isReplacement]);
  useShortcut("w", t("bench.toField"), () => focusField(form.current));

  const submit = async () => {
    if (isSending || triesLeft === 0) return;
    setAnnouncement("");
    const stored = await send(draft);
    if (stored !== null) setAnnouncement(describeOutcome(stored));
    focusField(form.current);
  };
  const describeOutcome = ({ predictions, fooled, ...stored }: Schemas["ExampleRead"]) => {
    if (!stored.is_model_shown) return t("verdict.stored");
    const said = predictions.map(
      ({ outputs }) => answerInWords(outputs, config) ?? t("answers.nothing"),
    );
    const outcome =
      fooled === null ? t("announce.open") : fooled ? t("verdict.fooled") : t("verdict.right");
    return `${t("announce.said", { count: said.length, answers: said.join(", ") })} ${outcome}`;
  };
  const set = (part: keyof Draft, name: string, value: FieldValue | null) =>
    write(withValue(kept, part, name, value));
  useEnterSubmits(form, () => void submit());
  const complaints = fieldComplaints(error);
  const texts = { ...context.content, ...draft.inputs };

  return (
    <div className={classes.bench}>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <section className={classes.context} aria-label={t("bench.context")}>
        <Title order={2} className={classes.heading}>
          {contextTitle(config, i18n.language, t("bench.context"))}
        </Title>
        <ContextView
          config={config}
          context={context.content}
          answer={draft.answer}
          onSelect={(name, value) => set("answer", name, value)}
          complaints={complaints}
        />
      </section>
      <form
        ref={form}
        className={classes.writing}
        aria-label={t("bench.write")}
        noValidate
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          void submit();
        }}
      >
        {!assignment.is_model_shown && <Text>{t("bench.noModel")}</Text>}
        <ChatDesk config={config} desk={desk} context={context.id} tries={assignment.tries}>
          <WritingFields
            config={config}
            draft={draft}
            onChange={set}
            context={texts}
            complaints={complaints}
          />
        </ChatDesk>
        {needsAlert(error, namesToFill(config)) && (
          <SendProblem error={error} reassurance={t("problem.kept")} />
        )}
        <Buttons
          isSending={isSending}
          isSpent={triesLeft === 0}
          onSubmit={() => void submit()}
          change={change}
        />
        {triesLeft === 0 && <Text size="sm">{t("bench.spent")}</Text>}
      </form>
      <Tries
        tries={tries}
        triesLeft={triesLeft}
        isModelShown={assignment.is_model_shown}
        round={round}
        desk={desk}
        config={config}
        context={context.content}
      />
    </div>
  );
}

interface ButtonsProps {
  isSending: boolean;
  isSpent: boolean;
  onSubmit: () => void;
  change: ContextChange;
}

function Buttons({ isSending, isSpent, onSubmit, change }: ButtonsProps) {
  const { t } = useTranslation("compose");
  const { onNew, onSkip, onLookAgain, isPending, error } = change;
  // The same keys with Alt, for hands that stay in the field.
  useShortcut("alt+n", t("bench.new"), onNew, !isPending);
  useShortcut("alt+s", t("bench.skip"), onSkip, !isPending);
  return (
    <>
      <Group gap="xs" className={classes.buttons}>
        <KeyButton
          keys="mod+enter"
          type="submit"
          onKey={onSubmit}
          loading={isSending}
          disabled={isSpent}
        >
          {t("bench.submit")}
        </KeyButton>
        <KeyButton keys="n" variant="default" onKey={onNew} loading={isPending}>
          {t("bench.new")}
        </KeyButton>
        <KeyButton keys="s" variant="subtle" onKey={onSkip} disabled={isPending}>
          {t("bench.skip")}
        </KeyButton>
      </Group>
      {error !== null && error !== undefined && (
        <SendProblem error={error} reassurance={t("problem.kept")} />
      )}
      {onLookAgain !== null && error !== null && (
        <KeyButton keys="l" variant="default" onKey={onLookAgain}>
          {t("bench.lookAgain")}
        </KeyButton>
      )}
    </>
  );
}
