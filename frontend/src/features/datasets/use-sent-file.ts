import { useEffect, useRef, useState } from "react";

import type { Schemas } from "../../lib/api-client";
import { sendFile } from "../../lib/send-file";

interface SentFile {
  /** The share of the file that has gone out; null while none is on its way. */
  share: number | null;
  /** Have a file on the server; one that is there already is not sent again. */
  send: (file: File) => Promise<string>;
}

/** Send files of items for a task, and remember what the last one is called there. */
export function useSentFile(slug: string): SentFile {
  const [share, setShare] = useState<number | null>(null);
  const sent = useRef<{ file: File; digest: string }>(null);
  const going = useRef<AbortController>(null);
  // Whoever leaves the page stops what is going out.
  useEffect(() => () => going.current?.abort(), []);
  const send = async (file: File) => {
    if (sent.current?.file === file) return sent.current.digest;
    const controller = new AbortController();
    going.current = controller;
    setShare(0);
    try {
      const path = `/api/v1/tasks/${encodeURIComponent(slug)}/dataset-files`;
      const answer = await sendFile(path, file, {
        method: "POST",
        onProgress: setShare,
        signal: controller.signal,
      });
      const { digest } = answer as Schemas["DatasetFileRead"];
      sent.current = { file, digest };
      return digest;
    } finally {
      setShare(null);
    }
  };
  return { share, send };
}
