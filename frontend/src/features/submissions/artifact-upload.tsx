import { Stack } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

import { FileDrop } from "./file-drop";
import { artifactPath, type Submission, useRefreshModels } from "./queries";
import { UploadProgress } from "./upload-progress";
import { useUpload } from "./use-upload";

export type FileKind = "handler" | "huggingface" | "onnx";

/** What a kind's files are packed into. */
export const ACCEPTED: Record<FileKind, string> = {
  handler: ".zip,.tar.gz,.tgz",
  huggingface: ".zip,.tar.gz,.tgz",
  onnx: ".zip,.tar.gz,.tgz,.onnx",
};

/** Whether models of a kind have files that are uploaded. */
export function hasFiles(kind: string): kind is FileKind {
  return Object.hasOwn(ACCEPTED, kind);
}

interface ArtifactUploadProps {
  model: Submission;
  /** A file that was chosen before; it goes out at once. */
  first?: File | null;
  onDone: () => void;
}

/** Send a model's files; its check begins as soon as they have arrived. */
export function ArtifactUpload({ model, first = null, onDone }: ArtifactUploadProps) {
  const { t } = useTranslation("submissions");
  const refresh = useRefreshModels();
  const upload = useUpload(artifactPath(model.id), () => {
    void refresh();
    onDone();
  });
  const { start } = upload;
  const wasStarted = useRef(false);
  useEffect(() => {
    if (first === null || wasStarted.current) return;
    wasStarted.current = true;
    start(first);
  }, [first, start]);
  const kind = hasFiles(model.kind) ? model.kind : "handler";
  return (
    <Stack gap="sm">
      {!upload.isPending && (
        <FileDrop
          accept={ACCEPTED[kind]}
          label={t("file.label")}
          help={t(`file.${kind}`)}
          chosen={upload.file}
          onChoose={start}
        />
      )}
      <UploadProgress upload={upload} />
    </Stack>
  );
}
