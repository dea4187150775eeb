import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";

import { sendFile } from "../../lib/send-file";

interface Upload {
  /** The file that is or was sent. */
  file: File | null;
  /** The share that was sent. */
  share: number;
  isPending: boolean;
  isDone: boolean;
  /** Null where the sender stopped it. */
  error: unknown;
  wasCancelled: boolean;
  start: (file: File) => void;
  cancel: () => void;
}

/** Send a file to an address of the API, to be watched, stopped and repeated. */
export function useUpload(path: string, onDone: () => void): Upload {
  const [share, setShare] = useState(0);
  const [file, setFile] = useState<File | null>(null);
  const sending = useRef<AbortController>(null);
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: (chosen: File) => {
      const controller = new AbortController();
      sending.current = controller;
      return sendFile(path, chosen, { onProgress: setShare, signal: controller.signal });
    },
    onSuccess: onDone,
  });
  const start = useCallback(
    (chosen: File) => {
      setShare(0);
      setFile(chosen);
      mutate(chosen);
    },
    [mutate],
  );
  const cancel = useCallback(() => sending.current?.abort(), []);
  // Whoever leaves the page stops what is going out.
  useEffect(() => () => sending.current?.abort(), []);
  const wasCancelled = error instanceof DOMException && error.name === "AbortError";
  return {
    file,
    share,
    isPending,
    isDone: isSuccess,
    error: wasCancelled ? null : error,
    wasCancelled,
    start,
    cancel,
  };
}
