import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import type { MediaValue } from "../../../lib/field-values";
import classes from "./audio-view.module.css";
import { useMediaPort } from "./media-port";

interface AudioViewProps {
  value: MediaValue;
  title: string;
}

/** A recording with the browser's own controls; it never starts by itself. */
export function AudioView({ value, title }: AudioViewProps) {
  const { t } = useTranslation();
  const { soundUrl } = useMediaPort();
  const [broken, setBroken] = useState<string | null>(null);
  if (broken === value.media) {
    return (
      <Text size="sm" role="alert">
        {t("media.notPlayed", { what: title })}
      </Text>
    );
  }
  return (
    // What is said in a recording is often what is asked: there is no transcript to show.
    // eslint-disable-next-line jsx-a11y/media-has-caption
    <audio
      className={classes.player}
      controls
      preload="metadata"
      src={soundUrl(value.media)}
      aria-label={title}
      onError={() => setBroken(value.media)}
    />
  );
}
