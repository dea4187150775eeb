import { Button, Group, Progress, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { formatPercent } from "../../lib/format";
import { sizeInWords } from "../../lib/media-files";
import type { useUpload } from "./use-upload";

interface UploadProgressProps {
  upload: ReturnType<typeof useUpload>;
}

/** How far a file is on its way, with the ways to stop it and to send it again. */
export function UploadProgress({ upload }: UploadProgressProps) {
  const { t, i18n } = useTranslation("submissions");
  const { file, share, isPending, error, wasCancelled } = upload;
  if (file === null) return null;
  const size = sizeInWords(file.size, i18n.language);
  if (isPending) {
    // All bytes are out: the server stores them and answers.
    const isSent = share >= 1;
    return (
      <Stack gap={4}>
        <Text size="sm" role="status">
          {isSent
            ? t("upload.storing", { name: file.name })
            : t("upload.sent", {
                name: file.name,
                share: formatPercent(share, i18n.language),
                size,
              })}
        </Text>
        <Progress
          value={100 * share}
          size={6}
          animated={isSent}
          aria-label={t("upload.progress", { name: file.name })}
        />
        <div>
          <Button size="compact-sm" variant="default" onClick={upload.cancel}>
            {t("upload.cancel")}
          </Button>
        </div>
      </Stack>
    );
  }
  if (error === null && !wasCancelled) return null;
  return (
    <Stack gap={4}>
      {wasCancelled ? (
        <Text role="status">{t("upload.cancelled")}</Text>
      ) : (
        <FormAlert error={error} />
      )}
      <Group gap="xs">
        <Button size="compact-sm" onClick={() => upload.start(file)}>
          {t("upload.again", { name: file.name })}
        </Button>
      </Group>
    </Stack>
  );
}
