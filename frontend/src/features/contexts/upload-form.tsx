import { Button, FileButton, Progress, Stack, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import { CodeBlock } from "../../components/ui/code-block";
import { DataTable } from "../../components/ui/data-table";
import { FormAlert } from "../../components/ui/form-alert";
import { formatPercent } from "../../lib/format";
import type { DrawnField } from "../../lib/task-config";
import { holdsMedia, MissingFilesError } from "./media";
import {
  type LineProblem,
  lineProblems,
  MissingColumnsError,
  moreProblems,
  useUploadContexts,
} from "./upload";

const MOST_NAMED = 10;
const TYPES = ".jsonl,.ndjson,.csv,application/x-ndjson,text/csv";

interface UploadFormProps {
  slug: string;
  fields: readonly DrawnField[];
}

/** A line of a file as this task takes it. */
function sampleLine(fields: readonly DrawnField[]): string {
  const context = Object.fromEntries(fields.map((field) => [field.name, sampleValue(field)]));
  return JSON.stringify({ context, tag: "news", metadata: { source: "…" } });
}

function sampleValue({ type }: DrawnField): unknown {
  if (type === "image") return { file: "a.png", alt: "…" };
  return type === "audio" ? { file: "a.wav" } : "…";
}

/** Contexts from JSON lines or CSV; a wrong line is named, and then nothing is stored. */
export function UploadForm({ slug, fields }: UploadFormProps) {
  const { t, i18n } = useTranslation("contexts");
  const names = fields.map(({ name }) => name);
  const upload = useUploadContexts(slug, fields);
  const [beside, setBeside] = useState<readonly File[]>([]);
  const reset = useRef<() => void>(null);
  const { error } = upload;
  const problems = lineProblems(error, upload.origins);
  const choose = (file: File | null) => {
    if (file !== null) upload.mutate({ file, beside });
    // The same file can be chosen again once it is corrected.
    reset.current?.();
  };
  return (
    <Stack gap="sm">
      <Text>{t("upload.help")}</Text>
      <CodeBlock code={sampleLine(fields)} label={t("upload.sample")} />
      <Text>{t("upload.csvHelp", { columns: names.join(", ") })}</Text>
      {holdsMedia(fields) && <FilesBeside chosen={beside} onChoose={setBeside} />}
      <div>
        <FileButton onChange={choose} accept={TYPES} resetRef={reset}>
          {(props) => (
            <Button {...props} loading={upload.isPending}>
              {t("upload.choose")}
            </Button>
          )}
        </FileButton>
      </div>
      {upload.isPending && (
        <div>
          <Text size="sm">
            {t("upload.sent", { share: formatPercent(upload.share, i18n.language) })}
          </Text>
          <Progress value={100 * upload.share} size={6} aria-label={t("upload.progress")} />
        </div>
      )}
      {upload.data !== undefined && (
        <Text role="status" c="var(--db-good)">
          {t("upload.done", {
            added: upload.data.added,
            there: upload.data.already_there,
          })}
        </Text>
      )}
      {error instanceof MissingColumnsError ? (
        <Text role="alert" c="var(--db-bad)" size="sm">
          {t("upload.missing", { columns: error.columns.join(", ") })}
        </Text>
      ) : error instanceof MissingFilesError ? (
        <Text role="alert" c="var(--db-bad)" size="sm">
          {t("upload.missingFiles", { names: error.names.slice(0, MOST_NAMED).join(", ") })}
        </Text>
      ) : problems.length > 0 ? (
        <Text role="alert" c="var(--db-bad)" size="sm">
          {t("upload.refused", { count: problems.length + moreProblems(error) })}
        </Text>
      ) : (
        <FormAlert error={error} />
      )}
      {problems.length > 0 && <ProblemTable problems={problems} />}
    </Stack>
  );
}

interface FilesBesideProps {
  chosen: readonly File[];
  onChoose: (files: readonly File[]) => void;
}

/** The pictures and recordings that a file of contexts names. */
function FilesBeside({ chosen, onChoose }: FilesBesideProps) {
  const { t } = useTranslation("contexts");
  return (
    <Stack gap={4} align="flex-start">
      <Text>{t("upload.filesHelp")}</Text>
      <FileButton multiple accept="image/*,audio/*" onChange={onChoose}>
        {(props) => (
          <Button {...props} variant="default">
            {t("upload.chooseFiles")}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed" role="status">
        {chosen.length > 0 && t("upload.filesChosen", { count: chosen.length })}
      </Text>
    </Stack>
  );
}

function ProblemTable({ problems }: { problems: readonly LineProblem[] }) {
  const { t } = useTranslation("contexts");
  return (
    <DataTable
      caption={t("upload.problems")}
      rows={problems}
      rowKey={({ line, message }) => `${line} ${message}`}
      columns={[
        { key: "line", header: t("upload.line"), isNumber: true, cell: ({ line }) => line },
        {
          key: "message",
          header: t("upload.message"),
          cell: ({ message }) => message,
          isProse: true,
        },
      ]}
    />
  );
}
