import {
  api,
  ApiProblem,
  isProblem,
  NOT_UNDERSTOOD,
  type Schemas,
  UNREACHABLE,
  unwrap,
} from "./api-client";

export type StoredMedia = Schemas["MediaRead"];

export function mediaUrl(digest: string): string {
  return `/api/v1/media/${encodeURIComponent(digest)}`;
}

export function thumbnailUrl(digest: string): string {
  return `${mediaUrl(digest)}/thumbnail`;
}

const SHORT_NAMES: Readonly<Record<string, string>> = { "audio/mpeg": "MP3", "audio/ogg": "Ogg" };

/** Media types as people call them: PNG, JPEG. */
export function typeNames(types: readonly string[], language: string): string {
  const names = types.map((type) => SHORT_NAMES[type] ?? (type.split("/")[1] ?? "").toUpperCase());
  return new Intl.ListFormat(language, { type: "disjunction" }).format(names);
}

const KILOBYTE = 1024;
const MEGABYTE = KILOBYTE * KILOBYTE;
const GIGABYTE = KILOBYTE * MEGABYTE;

/** A file's size, as people write it. */
export function sizeInWords(bytes: number, language: string): string {
  const [unit, length] =
    bytes < MEGABYTE
      ? (["kilobyte", KILOBYTE] as const)
      : bytes < GIGABYTE
        ? (["megabyte", MEGABYTE] as const)
        : (["gigabyte", GIGABYTE] as const);
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    maximumFractionDigits: 1,
  }).format(bytes / length);
}

export interface UploadOptions {
  /** Told the share sent so far. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Send a file's bytes. `fetch` cannot tell how far an upload is, so this is the older request. */
export function uploadMedia(
  slug: string,
  file: Blob,
  { onProgress, signal }: UploadOptions,
): Promise<StoredMedia> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const where = new URL(
      `/api/v1/tasks/${encodeURIComponent(slug)}/media`,
      globalThis.location.origin,
    );
    request.open("POST", where);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    });
    request.addEventListener("load", () => {
      const body = parsed(request.responseText);
      if (request.status === 200) resolve(body as StoredMedia);
      else if (isProblem(body)) reject(new ApiProblem(body));
      else reject(new ApiProblem({ status: request.status, code: NOT_UNDERSTOOD }));
    });
    request.addEventListener("error", () => {
      reject(new ApiProblem({ status: 0, code: UNREACHABLE }));
    });
    request.addEventListener("abort", () => {
      reject(new DOMException("Cancelled", "AbortError"));
    });
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

/** Have the server fetch a file from an address. */
export function fetchMedia(slug: string, url: string, signal: AbortSignal): Promise<StoredMedia> {
  return unwrap(
    api.POST("/api/v1/tasks/{slug}/media/fetch", {
      params: { path: { slug } },
      body: { url },
      signal,
    }),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface MediaLimits {
  max_bytes?: number;
  media_types?: readonly string[];
}

export type FileProblem =
  { key: "tooLarge"; size: number; max: number } | { key: "wrongType"; types: readonly string[] };

/** Why a file is not worth sending; the server looks at its content all the same. */
export function fileProblem(file: Blob, limits: MediaLimits): FileProblem | null {
  const { max_bytes: max = Infinity, media_types: types = [] } = limits;
  if (file.size > max) return { key: "tooLarge", size: file.size, max };
  // Browsers know few names of recordings, and some of them by another word.
  const isPicture = types.some((type) => type.startsWith("image/"));
  const isKnown = types.length === 0 || file.type === "" || types.includes(file.type);
  return isPicture && !isKnown ? { key: "wrongType", types } : null;
}
