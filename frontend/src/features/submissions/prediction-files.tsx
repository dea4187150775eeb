import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { ApiProblem } from "../../lib/api-client";
import { FileDrop } from "./file-drop";
import { predictionsPath, useRefreshModels } from "./queries";
import classes from "./submissions.module.css";
import { UploadProgress } from "./upload-progress";
import { useUpload } from "./use-upload";

/** A dataset that a model of predictions answers with a file. */
export interface AwaitedFile {
  versionId: string;
  dataset: string;
  items: number;
  /** Whether its file is there. */
  isThere: boolean;
}

interface PredictionFilesProps {
  modelId: string;
  files: readonly AwaitedFile[];
  /** Where a dataset's items without their gold are to be had. */
  itemsAddress: (versionId: string) => string;
}

/** One file of answers for each dataset, with what is wrong in it line by line. */
export function PredictionFiles({ modelId, files, itemsAddress }: PredictionFilesProps) {
  const { t } = useTranslation("submissions");
  if (files.length === 0) return <Text c="dimmed">{t("predictions.none")}</Text>;
  return (
    <Stack gap="md">
      <Text>{t("predictions.help")}</Text>
      <ul className={classes.files}>
        {files.map((file) => (
          <li key={file.versionId}>
            <DatasetFile modelId={modelId} file={file} address={itemsAddress(file.versionId)} />
          </li>
        ))}
      </ul>
    </Stack>
  );
}

interface DatasetFileProps {
  modelId: string;
  file: AwaitedFile;
  address: string;
}

function DatasetFile({ modelId, file, address }: DatasetFileProps) {
  const { t } = useTranslation("submissions");
  const refresh = useRefreshModels();
  const upload = useUpload(predictionsPath(modelId, file.versionId), () => void refresh());
  const problems = lineProblems(upload.error);
  const items = (
    <Text size="sm">
      <a href={address} download>
        {t("predictions.items", { dataset: file.dataset })}
      </a>
    </Text>
  );
  if (file.isThere) {
    return (
      <div className={classes.there}>
        <Text fw={600}>{file.dataset}</Text>
        <Text size="sm" c="dimmed">
          {t("predictions.there")}
        </Text>
        {items}
      </div>
    );
  }
  return (
    <Stack gap="xs">
      {!upload.isPending && (
        <FileDrop
          accept=".jsonl,.ndjson,application/x-ndjson"
          label={file.dataset}
          help={t("predictions.awaited", { count: file.items })}
          chosen={upload.file}
          onChoose={upload.start}
        />
      )}
      {items}
      <UploadProgress upload={upload} />
      {problems.length > 0 && (
        <DataTable
          caption={t("predictions.problems", { dataset: file.dataset })}
          rows={problems}
          rowKey={({ line, problem }) => `${line ?? ""} ${problem}`}
          columns={[
            {
              key: "line",
              header: t("predictions.line"),
              isNumber: true,
              cell: ({ line }) => line ?? "–",
            },
            {
              key: "problem",
              header: t("problems.problem"),
              cell: ({ problem }) => problem,
              isProse: true,
            },
          ]}
        />
      )}
    </Stack>
  );
}

interface LineProblem {
  line: number | null;
  problem: string;
}

/** The wrong lines that a refusal names. */
function lineProblems(error: unknown): LineProblem[] {
  const named = error instanceof ApiProblem ? error.facts.problems : null;
  if (!Array.isArray(named)) return [];
  return (named as Record<string, unknown>[]).map((one) => ({
    line: typeof one.line === "number" ? one.line : null,
    problem: [one.path, one.message]
      .filter((part) => typeof part === "string" && part !== "")
      .join(": "),
  }));
}
