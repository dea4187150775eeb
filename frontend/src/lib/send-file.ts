import { ApiProblem, isProblem, NOT_UNDERSTOOD, UNREACHABLE } from "./api-client";

interface SendOptions {
  /** Told the share sent so far. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
  /** How; a file that replaces what stands at the address is put. */
  method?: "PUT" | "POST";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Send a file's bytes to an address of the API; resolves with the answer's JSON. `fetch` cannot
 * tell how far an upload is, so this is the older request.
 */
export function sendFile(
  path: string,
  file: Blob,
  { onProgress, signal, method = "PUT" }: SendOptions,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, new URL(path, globalThis.location.origin));
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    });
    request.addEventListener("load", () => {
      const body = parsed(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body);
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
