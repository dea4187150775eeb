import { Button, FileButton, Progress, Stack, Text } from "@mantine/core";
import { useRef } from "react";
import { useTranslation } from "react-i18next";

import { CodeBlock } from "../../components/ui/code-block";
import { DataTable } from "../../components/ui/data-table";
import { FormAlert } from "../../components/ui/form-alert";
import { formatPercent } from "../../lib/format";
import type { DrawnField } from "../../lib/task-config";
import {
  type LineProblem,
  lineProblems,
  MissingColumnsError,
  moreProblems,
  useUploadContexts,
} from "./upload";

const TYPES = ".jsonl,.ndjson,.csv,application/x-ndjson,text/csv";

interface UploadFormProps {
  slug: string;
  fields: readonly DrawnField[];
}

/** A line of a file as this task takes it. */
function sampleLine(fields: readonly string[]): string {
  const context = Object.fromEntries(fields.map((name) => [name, "…"]));
  return JSON.stringify({ context, tag: "news", metadata: { source: "…" } });
}

/** Contexts from JSON lines or CSV; a wrong line is named, and then nothing is stored. */
export function UploadForm({ slug, fields }: UploadFormProps) {
  const { t, i18n } = useTranslation("contexts");
  const names = fields.map(({ name }) => name);
  const upload = useUploadContexts(slug, names);
  const reset = useRef<() => void>(null);
  const { error } = upload;
  const problems = lineProblems(error, upload.origins);
  const choose = (file: File | null) => {
    if (file !== null) upload.mutate(file);
    // The same file can be chosen again once it is corrected.
    reset.current?.();
  };
  return (
    <Stack gap="sm">
      <Text>{t("upload.help")}</Text>
      <CodeBlock code={sampleLine(names)} label={t("upload.sample")} />
      <Text>{t("upload.csvHelp", { columns: names.join(", ") })}</Text>
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
