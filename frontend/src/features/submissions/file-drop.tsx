import { Button, FileButton, Group, Text } from "@mantine/core";
import { type DragEvent, useState } from "react";
import { useTranslation } from "react-i18next";

import { sizeInWords } from "../../lib/media-files";
import classes from "./submissions.module.css";

interface FileDropProps {
  /** What the chooser offers, such as ".zip". */
  accept: string;
  /** What the file is, for those who do not see where the button stands. */
  label: string;
  help: string;
  chosen: File | null;
  onChoose: (file: File) => void;
}

/** A place to drop a file on, with a button that does the same. */
export function FileDrop({ accept, label, help, chosen, onChoose }: FileDropProps) {
  const { t, i18n } = useTranslation("submissions");
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) onChoose(file);
  };
  return (
    // Dropping is a short cut for what the button inside does.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes.drop}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Text fw={600}>{label}</Text>
      <Text size="sm" c="dimmed">
        {help}
      </Text>
      <Group gap="sm" mt="xs">
        <FileButton
          accept={accept}
          onChange={(file) => {
            if (file !== null) onChoose(file);
          }}
        >
          {(props) => (
            <Button {...props} variant="default">
              {t(chosen === null ? "file.choose" : "file.other")}
            </Button>
          )}
        </FileButton>
        <Text size="sm" role="status">
          {chosen === null
            ? t("file.orDrop")
            : t("file.chosen", {
                name: chosen.name,
                size: sizeInWords(chosen.size, i18n.language),
              })}
        </Text>
      </Group>
    </div>
  );
}
