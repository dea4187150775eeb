import { useEffect, useRef, useState } from "react";

import type { BroughtMedia, MediaBringing } from "./media-port";

export interface Upload {
  /** The file's name; null while the server fetches from an address. */
  name: string | null;
  /** The share sent so far. */
  share: number;
}

/** One file on its way at a time; what comes later takes its place. */
export function useMediaUpload(
  bring: MediaBringing | null,
  onStored: (stored: BroughtMedia) => void,
) {
  const [upload, setUpload] = useState<Upload | null>(null);
  const [error, setError] = useState<unknown>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (
    name: string | null,
    work: (way: MediaBringing, signal: AbortSignal) => Promise<BroughtMedia>,
  ) => {
    if (bring === null) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setError(null);
    setUpload({ name, share: 0 });
    try {
      const stored = await work(bring, controller.signal);
      if (running.current === controller) onStored(stored);
    } catch (problem) {
      if (running.current === controller && !controller.signal.aborted) setError(problem);
    } finally {
      if (running.current === controller) setUpload(null);
    }
  };
  return {
    upload,
    error,
    clearError: () => setError(null),
    send: (file: File) =>
      run(file.name, (way, signal) =>
        way.upload(file, {
          signal,
          onProgress: (share) => setUpload({ name: file.name, share }),
        }),
      ),
    fetchFrom: (url: string) => run(null, (way, signal) => way.fetchFrom(url, signal)),
    cancel: () => running.current?.abort(),
  };
}
