import { Button, FileButton, Group, Text, TextInput } from "@mantine/core";
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";

import { sizeInWords, typeNames } from "../../../lib/media-files";
import type { AudioField, ImageField } from "../../../lib/task-config";
import classes from "./media-input.module.css";

interface MediaChooserProps {
  field: ImageField | AudioField;
  onFile: (file: File) => void;
  onAddress: (url: string) => void;
}

/** The ways to bring a file: browse, drop, paste, or say where it lies on the web. */
export function MediaChooser({ field, onFile, onAddress }: MediaChooserProps) {
  const { t, i18n } = useTranslation();
  const [isOver, setIsOver] = useState(false);
  const types = field.media_types ?? [];
  const first = (files: FileList) => {
    const file = files.item(0);
    if (file !== null) onFile(file);
    return file !== null;
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    first(event.dataTransfer.files);
  };
  const paste = (event: ClipboardEvent) => {
    // Words that are pasted go where the cursor stands.
    if (first(event.clipboardData.files)) event.preventDefault();
  };
  const limits = [
    types.length === 0 ? null : typeNames(types, i18n.language),
    field.max_bytes === undefined
      ? null
      : t("media.upTo", { size: sizeInWords(field.max_bytes, i18n.language) }),
  ].filter((part) => part !== null);
  return (
    // Dropping and pasting are short cuts for what the controls inside do.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes.chooser}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      onPaste={paste}
    >
      <Group gap="xs">
        <FileButton
          accept={types.join(",")}
          onChange={(file) => {
            if (file !== null) onFile(file);
          }}
        >
          {(button) => (
            <Button variant="default" {...button}>
              {t(field.type === "image" ? "media.chooseImage" : "media.chooseAudio")}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          {t("media.orDrop")} {limits.join(", ")}
        </Text>
      </Group>
      <AddressLine onAddress={onAddress} />
    </div>
  );
}

function AddressLine({ onAddress }: { onAddress: (url: string) => void }) {
  const { t } = useTranslation();
  const [url, setUrl] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const fetch = () => {
    const address = url.trim();
    const isAddress = address.startsWith("https://");
    setIsWrong(!isAddress);
    if (isAddress) onAddress(address);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    // Enter would send the form around.
    event.preventDefault();
    event.stopPropagation();
    fetch();
  };
  return (
    <Group gap="xs" align="end" wrap="nowrap" mt="xs">
      <TextInput
        className={classes.address}
        size="sm"
        type="url"
        label={t("media.address")}
        placeholder="https://…"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        error={isWrong ? t("media.badAddress") : undefined}
        autoComplete="off"
      />
      <Button variant="default" size="sm" onClick={fetch}>
        {t("media.fetch")}
      </Button>
    </Group>
  );
}
