import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import {
  ApiProblem,
  NOT_UNDERSTOOD,
  type Problem,
  type Schemas,
  UNREACHABLE,
} from "../../lib/api-client";
import type { DrawnField } from "../../lib/task-config";
import { contextsFromCsv } from "./csv";
import { holdsMedia, mediaCell, withUploads } from "./media";
import { contextKeys } from "./queries";

type Uploaded = Schemas["ContextUploadRead"];

/** One line of an uploaded file that is wrong. */
export interface LineProblem {
  line: number;
  message: string;
}

/** The file lacks a column that the task's contexts need; nothing was sent. */
export class MissingColumnsError extends Error {
  constructor(readonly columns: readonly string[]) {
    super(`The file lacks columns: ${columns.join(", ")}`);
  }
}

/** The wrong lines that a refusal names, as lines of the file that was chosen. */
export function lineProblems(error: unknown, origins: readonly number[] | null): LineProblem[] {
  const named = error instanceof ApiProblem ? error.facts.problems : null;
  if (!Array.isArray(named)) return [];
  const problems = named as LineProblem[];
  if (origins === null) return problems;
  return problems.map((one) => ({ ...one, line: origins[one.line - 1] ?? one.line }));
}

/** How many wrong lines a refusal does not name. */
export function moreProblems(error: unknown): number {
  const more = error instanceof ApiProblem ? error.facts.more : 0;
  return typeof more === "number" ? more : 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Send JSON lines; a plain request, because `fetch` does not tell how much has gone out. */
function send(slug: string, body: Blob, onProgress: (share: number) => void): Promise<Uploaded> {
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
      const answer = parsed(request.responseText);
      if (status >= 200 && status < 300) resolve(answer as Uploaded);
      else if (answer === null) reject(new ApiProblem({ status, code: NOT_UNDERSTOOD }));
      else reject(new ApiProblem(answer as Problem));
    });
    request.send(body);
  });
}

const isCsv = (file: File) => file.type === "text/csv" || /\.csv$/i.test(file.name);

/** Upload a file of contexts; `share` is how much has gone out, `origins` a CSV's own lines. */
export function useUploadContexts(slug: string, fields: readonly DrawnField[]) {
  const client = useQueryClient();
  const [share, setShare] = useState(0);
  const [origins, setOrigins] = useState<readonly number[] | null>(null);
  const mutation = useMutation({
    mutationFn: async ({ file, beside }: { file: File; beside: readonly File[] }) => {
      setShare(0);
      setOrigins(null);
      const hasMedia = holdsMedia(fields);
      if (!isCsv(file) && !hasMedia) return send(slug, file, setShare);
      const text = await file.text();
      let lines = text.split("\n");
      if (isCsv(file)) {
        const names = fields.map(({ name }) => name);
        const media = new Set(fields.filter((one) => holdsMedia([one])).map(({ name }) => name));
        const converted = contextsFromCsv(text, names, (name, cell) =>
          media.has(name) ? mediaCell(cell) : cell,
        );
        if (converted.missing.length > 0) throw new MissingColumnsError(converted.missing);
        setOrigins(converted.origins);
        lines = converted.lines;
      }
      if (hasMedia) lines = await withUploads(slug, lines, beside, setShare);
      return send(slug, new Blob([lines.join("\n")]), setShare);
    },
    onSuccess: () => client.invalidateQueries({ queryKey: contextKeys.all }),
  });
  return { ...mutation, share, origins };
}
