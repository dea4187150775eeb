import { Button, Group, Stack, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { FieldRenderer } from "../../components/ui/fields/field-renderer";
import { Loading } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import type { FieldValue } from "../../lib/field-values";
import { type DrawnConfig, type FieldValues, fieldTitle, readConfig } from "../../lib/task-config";
import { Answers } from "./answers";
import { chatField } from "./chat-desk";
import { ChatSandbox } from "./chat-sandbox";
import { ContextView } from "./context-view";
import { type Draft, EMPTY_DRAFT, withValue } from "./desk";
import { sampleContextQuery, useTry } from "./queries";
import classes from "./sandbox.module.css";
import { SendProblem } from "./send-problem";
import { fieldComplaints, filled, filledDraft, needsAlert } from "./submission";
import { TargetsLine, Verdict } from "./verdict";
import { goalField, namesToFill, WritingFields } from "./writing-fields";
import { focusField, useEnterSubmits } from "./writing-form";

/** Play with a task's target without an account: the same fields, and nothing is kept. */
export function Sandbox({ task }: { task: Schemas["TaskRead"] }) {
  const sample = useQuery(sampleContextQuery(task.slug));
  const config = readConfig(task.config);
  if (sample.isPending) return <Loading lines={4} />;
  // Without a context to show one is written; a failure to fetch one is no reason to stop.
  return <SandboxForm slug={task.slug} config={config} given={sample.data?.content ?? null} />;
}

interface SandboxFormProps {
  slug: string;
  config: DrawnConfig;
  given: FieldValues | null;
}

function SandboxForm({ slug, config, given }: SandboxFormProps) {
  const { t } = useTranslation("compose");
  const form = useRef<HTMLFormElement>(null);
  const [own, setOwn] = useState<FieldValues | null>(given === null ? {} : null);
  const context = own ?? given ?? {};
  const goal = goalField(config);
  const firstGoal = goal === null ? {} : { [goal.name]: goal.labels[0] };
  const [draft, setDraft] = useState<Draft>({ ...EMPTY_DRAFT, answer: firstGoal });
  const attempt = useTry(slug);
  const set = (part: keyof Draft, name: string, value: FieldValue | null) =>
    setDraft((latest) => withValue(latest, part, name, value));
  const changeContext = (content: FieldValues | null) => {
    setOwn(content);
    // A selection points into the text that it was made in.
    setDraft((latest) => ({ ...latest, answer: firstGoal }));
  };
  const submit = async () => {
    // A conversation gives its replies by itself: there is nothing else to ask.
    if (attempt.isPending || chatField(config) !== null) return;
    const body = { ...filledDraft(draft), context: filled(context) };
    // The mutation holds a failure, and the form shows it.
    await attempt.mutateAsync(body).catch(() => null);
    focusField(form.current);
  };
  useEnterSubmits(form, () => void submit());
  const complaints = fieldComplaints(attempt.error);
  const names = [...namesToFill(config), ...config.context.map((field) => field.name)];
  return (
    <form
      ref={form}
      className={classes.sandbox}
      aria-label={t("sandbox.title")}
      noValidate
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className={classes.fields}>
        {own === null || !isShort(config) ? (
          <ContextView
            config={config}
            context={context}
            answer={draft.answer}
            onSelect={(name, value) => set("answer", name, value)}
            complaints={complaints}
            isTitled
          />
        ) : null}
        {own !== null && (
          <OwnContext
            config={config}
            context={own}
            onChange={changeContext}
            complaints={complaints}
          />
        )}
        {given !== null && config.context.length > 0 && (
          <ContextSwitch
            config={config}
            isOwn={own !== null}
            onSwitch={() => changeContext(own === null ? given : null)}
          />
        )}
        <ChatSandbox slug={slug} config={config} context={context}>
          <WritingFields
            config={config}
            draft={draft}
            onChange={set}
            context={context}
            complaints={complaints}
          />
        </ChatSandbox>
        {needsAlert(attempt.error, names) && (
          <SendProblem error={attempt.error} reassurance={t("sandbox.kept")} />
        )}
        <Group gap="sm">
          {chatField(config) === null && (
            <Button type="submit" loading={attempt.isPending}>
              {t("sandbox.submit")}
            </Button>
          )}
          <Text size="sm" c="dimmed">
            {t("sandbox.note")}
          </Text>
        </Group>
      </div>
      <Outcome result={attempt.data} sent={attempt.variables} config={config} />
    </form>
  );
}

/** Whether the context is text to write, and not also a text to select in. */
function isShort(config: DrawnConfig): boolean {
  return config.answers.every((field) => field.type !== "context_string_selection");
}

interface OwnContextProps {
  config: DrawnConfig;
  context: FieldValues;
  onChange: (context: FieldValues) => void;
  complaints: Readonly<Record<string, string>>;
}

function OwnContext({ config, context, onChange, complaints }: OwnContextProps) {
  return (
    <Stack gap="xs">
      {config.context.map((field) => (
        <FieldRenderer
          key={field.name}
          field={field}
          value={context[field.name]}
          onChange={(value) => onChange({ ...context, [field.name]: value })}
          context={context}
          error={complaints[field.name]}
        />
      ))}
    </Stack>
  );
}

interface ContextSwitchProps {
  config: DrawnConfig;
  isOwn: boolean;
  onSwitch: () => void;
}

function ContextSwitch({ config, isOwn, onSwitch }: ContextSwitchProps) {
  const { t, i18n } = useTranslation("compose");
  const name = config.context
    .map((field) => fieldTitle(field, i18n.language).toLocaleLowerCase(i18n.language))
    .join(", ");
  return (
    <Button variant="subtle" size="compact-sm" className={classes.switch} onClick={onSwitch}>
      {isOwn ? t("sandbox.example", { name }) : t("sandbox.own", { name })}
    </Button>
  );
}

interface OutcomeProps {
  result: Schemas["TryRead"] | undefined;
  sent: Schemas["TryCreate"] | undefined;
  config: DrawnConfig;
}

/** The answer in place; a screen reader hears it as soon as it is there. */
function Outcome({ result, sent, config }: OutcomeProps) {
  const { t } = useTranslation("compose");
  return (
    <div role="status">
      {result !== undefined && (
        <Stack gap="sm" className={classes.outcome}>
          <VisuallyHidden>{t("sandbox.result")}</VisuallyHidden>
          <Answers answer={sent?.answer ?? {}} predictions={result.predictions} config={config} />
          <Verdict
            fooled={result.fooled}
            open={t("verdict.sandboxOpen")}
            next={{ fooled: t("verdict.sandboxFooled"), right: t("verdict.tryAgain") }}
          />
          <TargetsLine predictions={result.predictions} policy={undefined} />
        </Stack>
      )}
    </div>
  );
}
