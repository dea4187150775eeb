import { Button, Stack, Tabs, Text } from "@mantine/core";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import "@mantine/core/styles/Tabs.css";

import { MetadataFields } from "../components/ui/fields/metadata-fields";
import { Markdown } from "../components/ui/markdown";
import { chatField } from "../features/compose/chat-desk";
import { ContextView } from "../features/compose/context-view";
import { type Draft, EMPTY_DRAFT, withValue } from "../features/compose/desk";
import { goalField, WritingFields } from "../features/compose/writing-fields";
import { SampleChat } from "../features/config-editor/sample-chat";
import { SampleMedia } from "../features/config-editor/sample-media";
import { samplesFor, type SampleWords } from "../features/config-editor/samples";
import { ItemCard } from "../features/validate/item-card";
import type { FieldValue } from "../lib/field-values";
import { inLanguage } from "../lib/local-text";
import { type DrawnConfig, type FieldValues, fieldTitle, readConfig } from "../lib/task-config";

/** Both pages of a config, with the real fields and made-up values; nothing is sent. */
export function ConfigPreview({ config: wire }: { config: FieldValues }) {
  const { t, i18n } = useTranslation("config");
  const config = readConfig(wire);
  const warning = inLanguage(config.contentWarning, i18n.language);
  const instructions = inLanguage(config.instructions, i18n.language);
  const words: SampleWords = {
    text: (field) => t("preview.sample", { name: fieldTitle(field, i18n.language) }),
    picture: t("preview.picture"),
    message: (number) => t("preview.message", { number }),
    reply: (model) =>
      model === null ? t("preview.onlyReply") : t("preview.reply", { name: model }),
  };
  const samples = samplesFor(config, words);
  // Another config is another page: what was typed into the old one is gone.
  const key = JSON.stringify(wire);
  return (
    <Stack gap="sm">
      <Text fw={600}>{inLanguage(titleOf(wire), i18n.language)}</Text>
      {warning !== "" && (
        <div>
          <Text size="sm" c="dimmed">
            {t("preview.warning")}
          </Text>
          <Text>{warning}</Text>
        </div>
      )}
      <Tabs defaultValue="create" keepMounted={false}>
        <Tabs.List mb="sm" aria-label={t("preview.pages")}>
          <Tabs.Tab value="create">{t("preview.create")}</Tabs.Tab>
          <Tabs.Tab value="validate">{t("preview.validate")}</Tabs.Tab>
          {instructions !== "" && (
            <Tabs.Tab value="instructions">{t("preview.instructions")}</Tabs.Tab>
          )}
        </Tabs.List>
        <Tabs.Panel value="create">
          <SampleMedia>
            <SampleChat key={key} field={chatField(config)} words={words}>
              <CreatePreview key={key} config={config} context={samples.context} />
            </SampleChat>
          </SampleMedia>
        </Tabs.Panel>
        <Tabs.Panel value="validate">
          <SampleMedia>
            <ValidatePreview key={key} config={config} samples={samples} />
          </SampleMedia>
        </Tabs.Panel>
        <Tabs.Panel value="instructions">
          <Markdown topHeading={3}>{instructions}</Markdown>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function titleOf({ title }: FieldValues): Parameters<typeof inLanguage>[0] {
  return typeof title === "string" || (typeof title === "object" && title !== null)
    ? (title as Exclude<Parameters<typeof inLanguage>[0], undefined>)
    : null;
}

function CreatePreview({ config, context }: { config: DrawnConfig; context: FieldValues }) {
  const { t } = useTranslation("config");
  const goal = goalField(config);
  const [draft, setDraft] = useState<Draft>({
    ...EMPTY_DRAFT,
    answer: goal === null ? {} : { [goal.name]: goal.labels[0] },
  });
  const [told, setTold] = useState<FieldValues>({});
  const [isSent, setSent] = useState(false);
  const set = (part: keyof Draft, name: string, value: FieldValue | null) =>
    setDraft((latest) => withValue(latest, part, name, value));
  return (
    <form
      noValidate
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        setSent(true);
      }}
    >
      <Stack gap="sm">
        <ContextView
          config={config}
          context={context}
          answer={draft.answer}
          onSelect={(name, value) => set("answer", name, value)}
          complaints={{}}
          isTitled
        />
        <WritingFields
          config={config}
          draft={draft}
          onChange={set}
          context={context}
          complaints={{}}
        />
        <div>
          <Button type="submit">{t("preview.submit")}</Button>
          <Text size="sm" role="status" mt={4}>
            {isSent && t("preview.nothingSent")}
          </Text>
        </div>
        {config.createMetadata.length > 0 && (
          <div>
            <Text size="sm" c="dimmed" mb={4}>
              {t("preview.after")}
            </Text>
            <MetadataFields
              fields={config.createMetadata}
              situation={{ isModelWrong: true }}
              values={told}
              onChange={(name, value) => setTold((latest) => ({ ...latest, [name]: value }))}
              context={context}
            />
          </div>
        )}
      </Stack>
    </form>
  );
}

interface ValidatePreviewProps {
  config: DrawnConfig;
  samples: ReturnType<typeof samplesFor>;
}

function ValidatePreview({ config, samples }: ValidatePreviewProps) {
  const { t } = useTranslation("config");
  const [isJudged, setJudged] = useState(false);
  if (isJudged) {
    return (
      <Stack gap="sm" align="flex-start">
        <Text role="status">{t("preview.chosen")}</Text>
        <Button variant="default" onClick={() => setJudged(false)}>
          {t("preview.again")}
        </Button>
      </Stack>
    );
  }
  return (
    <ItemCard
      item={{
        ...samples,
        example_id: "preview",
        round_id: "preview",
        mode: "review",
        lease_expires_at: "",
      }}
      config={config}
      desk={{ user: null, task: "preview", round: "preview" }}
      takesFocus={false}
      onCast={() => setJudged(true)}
    />
  );
}
