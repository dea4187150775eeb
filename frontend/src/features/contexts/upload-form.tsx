import { FileButton, Button, Progress, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { CodeBlock } from "../../components/ui/code-block";
import { DataTable } from "../../components/ui/data-table";
import { FormAlert } from "../../components/ui/form-alert";
import { lineProblems, useUploadContexts } from "./upload";

const SAMPLE = '{"context": {"premise": "…"}, "tag": "news", "metadata": {"source": "…"}}';

/** Contexts from a file of JSON lines; a wrong line is named, and then nothing is stored. */
export function UploadForm({ slug }: { slug: string }) {
  const { t } = useTranslation("contexts");
  const upload = useUploadContexts(slug);
  const problems = lineProblems(upload.error);
  const choose = (file: File | null) => {
    if (file !== null) upload.mutate(file);
  };
  return (
    <Stack gap="sm">
      <Text>{t("upload.help")}</Text>
      <CodeBlock code={SAMPLE} label={t("upload.sample")} />
      <div>
        <FileButton onChange={choose} accept=".jsonl,.ndjson,application/x-ndjson">
          {(props) => (
            <Button {...props} loading={upload.isPending}>
              {t("upload.choose")}
            </Button>
          )}
        </FileButton>
      </div>
      {upload.isPending && (
        <Progress value={100 * upload.share} size={6} aria-label={t("upload.progress")} />
      )}
      {upload.data !== undefined && (
        <Text role="status" c="var(--db-good)">
          {t("upload.done", {
            added: upload.data.added,
            there: upload.data.already_there,
          })}
        </Text>
      )}
      <FormAlert error={upload.error} />
      {problems.length > 0 && (
        <DataTable
          caption={t("upload.problems")}
          rows={problems}
          rowKey={({ line, message }) => `${line} ${message}`}
          columns={[
            { key: "line", header: t("upload.line"), isNumber: true, cell: ({ line }) => line },
            { key: "message", header: t("upload.message"), cell: ({ message }) => message },
          ]}
        />
      )}
    </Stack>
  );
}
