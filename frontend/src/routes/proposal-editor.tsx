import { Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../components/ui/form-alert";
import { ConfigEditor } from "../features/config-editor/config-editor";
import { useKeptText } from "../features/config-editor/kept-text";
import { LeaveGuard } from "../features/config-editor/leave-guard";
import { useConfigCheck } from "../features/config-editor/use-check";
import { areWordsGood, ProposalFields, type Words } from "../features/proposals/proposal-fields";
import { ApiProblem } from "../lib/api-client";
import { ConfigPreview } from "./config-preview";

export interface ProposedText extends Words {
  config: string;
  /** The revision that the text began from; null in a new proposal. */
  startedFrom: number | null;
}

interface ProposalEditorProps {
  user: string;
  /** Under what the unsent text is kept in this browser. */
  place: string;
  /** What is there before anything is written. */
  saved: { config: string; slug: string; reason: string; revision: number | null; name: string };
  submit: string;
  /** May reject: then the editor says why. */
  onSubmit: (text: ProposedText) => Promise<unknown>;
  error: unknown;
}

/** A proposal to be written: its words, its config with everything wrong beside it, its pages. */
export function ProposalEditor(props: ProposalEditorProps) {
  const { user, place, saved, submit, onSubmit, error } = props;
  const { t } = useTranslation("proposals");
  const kept = useKeptText(user, place, { text: saved.config, version: saved.revision });
  const checking = useConfigCheck(null, kept.text);
  const [words, setWords] = useState<Words>({ slug: saved.slug, reason: saved.reason, answer: "" });
  const [isBusy, setBusy] = useState(false);
  const isRevision = saved.revision !== null;
  const refused = error instanceof ApiProblem ? error.fields : {};
  const isChanged = kept.isUnsaved || words.slug !== saved.slug || words.reason !== saved.reason;
  const isAbout = ["slug", "reason", "answer"].some((name) => name in refused);
  const send = async () => {
    setBusy(true);
    try {
      await onSubmit({ ...words, config: kept.text, startedFrom: kept.startedFrom });
      kept.forget();
    } catch {
      // The caller's mutation holds the failure, and hands it back as `error`.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="md">
      <LeaveGuard isUnsaved={kept.isUnsaved} onDiscard={kept.forget} />
      <ProposalFields words={words} onChange={setWords} refused={refused} isRevision={isRevision} />
      <ConfigEditor
        text={kept.text}
        onChange={kept.write}
        checking={checking}
        compared={kept.isUnsaved ? { text: saved.config, name: saved.name } : null}
        renderPreview={(config) => <ConfigPreview config={config} />}
        actions={
          <div>
            <Group gap="xs">
              <Button
                disabled={!areWordsGood(words) || !checking.isGood || (isRevision && !isChanged)}
                loading={isBusy}
                onClick={() => void send()}
              >
                {submit}
              </Button>
              {kept.isUnsaved && (
                <Button variant="default" onClick={kept.forget}>
                  {t("form.drop")}
                </Button>
              )}
            </Group>
            {!isAbout && <FormAlert error={error} />}
          </div>
        }
      />
    </Stack>
  );
}
