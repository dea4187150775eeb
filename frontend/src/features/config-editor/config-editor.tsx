import { Stack, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { Loading } from "../../components/ui/states";
import type { FieldValues } from "../../lib/task-config";
import type { JumpTo } from "./code-editor";
import classes from "./config-editor.module.css";
import "@mantine/core/styles/Tabs.css";
import { ProblemList } from "./problem-list";
import { configSchemaQuery } from "./queries";
import type { ConfigChecking } from "./use-check";

const CodeEditor = lazy(async () => {
  const { CodeEditor: component } = await import("./code-editor");
  return { default: component };
});
const ConfigDiff = lazy(async () => {
  const { ConfigDiff: component } = await import("./config-diff");
  return { default: component };
});

interface ConfigEditorProps {
  text: string;
  onChange: (text: string) => void;
  checking: ConfigChecking;
  /** What the changes are shown against; null where there is nothing. */
  compared: { text: string; name: string } | null;
  /** The pages as they would be, drawn from a config that was checked. */
  renderPreview: (config: FieldValues) => ReactNode;
  /** What can be done with the text. */
  actions: ReactNode;
}

/** A config as text with everything that is wrong beside it, and the pages that it makes. */
export function ConfigEditor(props: ConfigEditorProps) {
  const { text, onChange, checking, compared, renderPreview, actions } = props;
  const { t } = useTranslation("config");
  const helpId = useId();
  const schema = useQuery(configSchemaQuery());
  const [jump, setJump] = useState<{ to: JumpTo } | null>(null);
  const [tab, setTab] = useState<string | null>("write");
  const jumpTo: JumpTo = (line, column) => {
    setTab("write");
    // A hidden editor cannot be scrolled.
    requestAnimationFrame(() => jump?.to(line, column));
  };
  return (
    <div className={classes.desk}>
      <Stack gap="sm">
        <Tabs value={tab} onChange={setTab}>
          <Tabs.List mb="xs">
            <Tabs.Tab value="write">{t("tabs.write")}</Tabs.Tab>
            {compared !== null && <Tabs.Tab value="changes">{t("tabs.changes")}</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="write">
            <Suspense fallback={<Loading lines={10} />}>
              <CodeEditor
                value={text}
                onChange={onChange}
                problems={checking.problems}
                schema={schema.data}
                label={t("editor.label")}
                describedBy={helpId}
                onReady={(to) => setJump({ to })}
              />
            </Suspense>
            <Text size="sm" c="dimmed" mt={4} id={helpId}>
              {t("editor.keys")}
            </Text>
          </Tabs.Panel>
          {compared !== null && (
            <Tabs.Panel value="changes">
              {tab === "changes" && (
                <Changes before={compared.text} after={text} name={compared.name} />
              )}
            </Tabs.Panel>
          )}
        </Tabs>
        <CheckResult checking={checking} onJump={jumpTo} />
        {actions}
      </Stack>
      <Preview checking={checking} renderPreview={renderPreview} />
    </div>
  );
}

function Changes({ before, after, name }: { before: string; after: string; name: string }) {
  const { t } = useTranslation("config");
  if (before === after) return <Text>{t("changes.none", { name })}</Text>;
  return (
    <Suspense fallback={<Loading lines={10} />}>
      <Text size="sm" c="dimmed" mb={4}>
        {t("changes.against", { name })}
      </Text>
      <ConfigDiff before={before} after={after} label={t("changes.label", { name })} />
    </Suspense>
  );
}

interface CheckResultProps {
  checking: ConfigChecking;
  onJump: JumpTo;
}

/** What the last check said; heard once it is there. */
function CheckResult({ checking, onJump }: CheckResultProps) {
  const { t } = useTranslation("config");
  const { problems, isChecked, error } = checking;
  const verdict =
    problems.length > 0 ? t("problems.count", { count: problems.length }) : t("problems.none");
  return (
    <div>
      <Text role="status" size="sm" mb={4} {...(problems.length > 0 && { c: "var(--db-bad)" })}>
        {isChecked ? verdict : t("problems.checking")}
      </Text>
      <FormAlert error={error} />
      {problems.length > 0 && <ProblemList problems={problems} onJump={onJump} />}
    </div>
  );
}

interface PreviewProps {
  checking: ConfigChecking;
  renderPreview: (config: FieldValues) => ReactNode;
}

function Preview({ checking, renderPreview }: PreviewProps) {
  const { t } = useTranslation("config");
  const id = useId();
  const { lastGood, problems } = checking;
  return (
    <section aria-labelledby={id}>
      <Text component="h2" fw={600} id={id}>
        {t("preview.title")}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {lastGood !== null && problems.length > 0 ? t("preview.stale") : t("preview.note")}
      </Text>
      <div className={classes.preview}>
        {lastGood === null ? <Text>{t("preview.none")}</Text> : renderPreview(lastGood)}
      </div>
    </section>
  );
}
