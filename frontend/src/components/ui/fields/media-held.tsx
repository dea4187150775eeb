import { Button, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

import type { MediaValue } from "../../../lib/field-values";
import type { AudioField, ImageField } from "../../../lib/task-config";
import { AudioView } from "./audio-view";
import { ImageView } from "./image-view";
import classes from "./media-input.module.css";

const LONGEST_ALT = 2000;

interface MediaHeldProps {
  field: ImageField | AudioField;
  title: string;
  value: MediaValue;
  onChange: (value: MediaValue | null) => void;
}

/** The file that a field holds: seen or heard, described, taken away. */
export function MediaHeld({ field, title, value, onChange }: MediaHeldProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.held}>
      {field.type === "image" ? (
        <ImageView value={value} title={title} />
      ) : (
        <AudioView value={value} title={title} />
      )}
      <div className={classes.about}>
        {field.type === "image" && (
          <TextInput
            type="text"
            label={t("media.alt")}
            description={t("media.altHelp")}
            value={value.alt ?? ""}
            maxLength={LONGEST_ALT}
            onChange={(event) => onChange({ ...value, alt: event.currentTarget.value })}
          />
        )}
        <Button variant="default" size="compact-sm" onClick={() => onChange(null)}>
          {t(field.type === "image" ? "media.removeImage" : "media.removeAudio")}
        </Button>
      </div>
    </div>
  );
}
