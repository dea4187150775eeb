import { Button, Group, Progress, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import type { MediaValue } from "../../../lib/field-values";
import { type FileProblem, fileProblem, sizeInWords, typeNames } from "../../../lib/media-files";
import type { AudioField, ImageField } from "../../../lib/task-config";
import { useProblemText } from "../problem-text";
import { ChoiceGroup } from "./choice-group";
import { MediaChooser } from "./media-chooser";
import { MediaHeld } from "./media-held";
import classes from "./media-input.module.css";
import { useMediaPort } from "./media-port";
import { type Upload, useMediaUpload } from "./use-media-upload";

interface MediaInputProps {
  field: ImageField | AudioField;
  title: string;
  value: MediaValue | null;
  onChange: (value: MediaValue | null) => void;
  error: string | undefined;
  isRequired: boolean;
}

/** A picture or a recording: chosen, dropped, pasted or fetched, then described. */
export function MediaInput(props: MediaInputProps) {
  const { field, title, value, onChange, error, isRequired } = props;
  const { t } = useTranslation();
  const { bring, note } = useMediaPort();
  const box = useRef<HTMLDivElement>(null);
  const [complaint, setComplaint] = useState<FileProblem | null>(null);
  // Whether the file was brought or taken away here, so that the hand goes on here.
  const [movesOn, setMovesOn] = useState(false);
  const held = value?.media;
  useEffect(() => {
    if (!movesOn || box.current === null) return;
    const description = box.current.querySelector<HTMLElement>("input[type=text]");
    (description ?? box.current.querySelector<HTMLElement>("button"))?.focus();
  }, [movesOn, held]);
  const uploading = useMediaUpload(bring, ({ digest }) => {
    setMovesOn(true);
    onChange(field.type === "image" ? { media: digest, alt: "" } : { media: digest });
  });
  const take = (file: File) => {
    const problem = fileProblem(file, field);
    setComplaint(problem);
    uploading.clearError();
    if (problem === null) void uploading.send(file);
  };
  const complaintText = useFileProblemText(complaint);
  const { sentence } = useProblemText(uploading.error);
  const told = complaintText ?? (uploading.error === null ? error : sentence);
  return (
    <ChoiceGroup
      role="group"
      title={title}
      error={told}
      isRequired={isRequired}
      className={classes.group}
    >
      <div ref={box}>
        {value !== null ? (
          <MediaHeld
            field={field}
            title={title}
            value={value}
            onChange={(changed) => {
              setMovesOn(changed === null);
              onChange(changed);
            }}
          />
        ) : uploading.upload !== null ? (
          <OnTheWay upload={uploading.upload} onCancel={uploading.cancel} />
        ) : bring === null ? (
          <Text size="sm">{t("media.signIn")}</Text>
        ) : (
          <MediaChooser
            field={field}
            onFile={take}
            onAddress={(url) => {
              setComplaint(null);
              void uploading.fetchFrom(url);
            }}
          />
        )}
        {note !== null && (
          <Text size="sm" role="status">
            {movesOn && value !== null && note}
          </Text>
        )}
      </div>
    </ChoiceGroup>
  );
}

function useFileProblemText(problem: FileProblem | null): string | null {
  const { t, i18n } = useTranslation();
  if (problem === null) return null;
  if (problem.key === "wrongType") {
    return t("media.wrongType", { types: typeNames(problem.types, i18n.language) });
  }
  return t("media.tooLarge", {
    size: sizeInWords(problem.size, i18n.language),
    max: sizeInWords(problem.max, i18n.language),
  });
}

function OnTheWay({ upload, onCancel }: { upload: Upload; onCancel: () => void }) {
  const { t } = useTranslation();
  const { name, share } = upload;
  return (
    <Group gap="sm" wrap="nowrap">
      <div className={classes.way}>
        <Text size="sm" dir="auto" role="status">
          {name === null ? t("media.fetching") : t("media.uploading", { name })}
        </Text>
        <Progress
          mt={4}
          value={name === null ? 100 : share * 100}
          animated={name === null}
          aria-label={t("media.progress")}
        />
      </div>
      <Button variant="default" size="compact-sm" onClick={onCancel}>
        {t("confirm.cancel")}
      </Button>
    </Group>
  );
}
