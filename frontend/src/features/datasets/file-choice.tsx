import { Button, FileButton, Group, Progress, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { formatPercent } from "../../lib/format";
import { sizeInWords } from "../../lib/media-files";

const TYPES = ".jsonl,.ndjson,.csv,.tsv,.parquet,.pq";

interface FileChoiceProps {
  /** What the button says while nothing is chosen. */
  label: string;
  chosen: File | null;
  onChoose: (file: File) => void;
  /** The share that has gone out; null while nothing is on its way. */
  share: number | null;
  /** What is missing, once somebody wanted to go on without a file. */
  error: string | null;
}

/** Choosing a file of rows, and how far it is on its way. */
export function FileChoice({ label, chosen, onChoose, share, error }: FileChoiceProps) {
  const { t, i18n } = useTranslation("datasets");
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <FileButton
          accept={TYPES}
          onChange={(file) => {
            if (file !== null) onChoose(file);
          }}
        >
          {(props) => (
            <Button {...props} variant="default">
              {chosen === null ? label : t("file.other")}
            </Button>
          )}
        </FileButton>
        <Text size="sm" role="status">
          {chosen !== null &&
            t("file.chosen", { name: chosen.name, size: sizeInWords(chosen.size, i18n.language) })}
        </Text>
      </Group>
      {error !== null && (
        <Text size="sm" role="alert" c="var(--db-bad)">
          {error}
        </Text>
      )}
      {share !== null && (
        <div>
          <Text size="sm">{t("file.sent", { share: formatPercent(share, i18n.language) })}</Text>
          <Progress value={100 * share} size={6} aria-label={t("file.progress")} />
        </div>
      )}
    </Stack>
  );
}
