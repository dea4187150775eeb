import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { ApiProblem, NOT_UNDERSTOOD, type Problem, type Schemas, UNREACHABLE } from "../../lib/api-client";
import { contextKeys } from "./queries";

type Uploaded = Schemas["ContextUploadRead"];

/** One line of an uploaded file that is wrong. */
export interface LineProblem {
  line: number;
  message: string;
}

/** The wrong lines that a refusal names. */
export function lineProblems(error: unknown): LineProblem[] {
  const named = error instanceof ApiProblem ? error.facts.problems : null;
  return Array.isArray(named) ? (named as LineProblem[]) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Send a file as it is; a plain request, because `fetch` does not tell how much has gone out. */
function send(slug: string, file: File, onProgress: (share: number) => void): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `/api/v1/tasks/${encodeURIComponent(slug)}/contexts`);
    request.setRequestHeader("Content-Type", "application/x-ndjson");
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      onProgress(total === 0 ? 1 : loaded / total);
    });
    request.addEventListener("error", () => {
      reject(new ApiProblem({ status: 0, code: UNREACHABLE }));
    });
    request.addEventListener("load", () => {
      const { status } = request;
      const body = parsed(request.responseText);
      if (status >= 200 && status < 300) resolve(body as Uploaded);
      else if (body === null) reject(new ApiProblem({ status, code: NOT_UNDERSTOOD }));
      else reject(new ApiProblem(body as Problem));
    });
    request.send(file);
  });
}

/** Upload a file of contexts; `share` is how much has gone out. */
export function useUploadContexts(slug: string) {
  const client = useQueryClient();
  const [share, setShare] = useState(0);
  const mutation = useMutation({
    mutationFn: (file: File) => {
      setShare(0);
      return send(slug, file, setShare);
    },
    onSuccess: () => client.invalidateQueries({ queryKey: contextKeys.all }),
  });
  return { ...mutation, share };
}
