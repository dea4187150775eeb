import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";

import { type MediaPort, MediaPortProvider } from "../../components/ui/fields/media-port";
import picture from "./sample-picture.png";
import silence from "./sample-silence.wav";
import { SAMPLE_MEDIA } from "./samples";

const bring = () => Promise.resolve({ digest: SAMPLE_MEDIA });

/** Gives the fields inside it a sample for every file; what is brought goes nowhere. */
export function SampleMedia({ children }: { children: ReactNode }) {
  const { t } = useTranslation("config");
  const note = t("preview.fileNotSent");
  const port = useMemo<MediaPort>(
    () => ({
      pictureUrl: () => picture,
      thumbnailUrl: () => picture,
      soundUrl: () => silence,
      bring: { upload: bring, fetchFrom: bring },
      note,
    }),
    [note],
  );
  return <MediaPortProvider value={port}>{children}</MediaPortProvider>;
}
