import { http, HttpResponse, type JsonBodyType } from "msw";

import type { Problem } from "../lib/api-client";
import { makeProblem } from "./factories/problem";

type Method = "get" | "post" | "put" | "patch" | "delete";

/** Answer a request with a body; `path` as in the API document, such as `/api/v1/tasks/:slug`. */
export function answer(method: Method, path: string, body: JsonBodyType, status = 200) {
  return http[method](`*${path}`, () =>
    status === 204 ? new HttpResponse(null, { status }) : HttpResponse.json(body, { status }),
  );
}

/** Answer a request with a problem, as the server words one. */
export function refuse(method: Method, path: string, problem: Partial<Problem> = {}) {
  const body = makeProblem(problem);
  const headers = { "Content-Type": "application/problem+json" };
  return http[method](`*${path}`, () => HttpResponse.json(body, { status: body.status, headers }));
}

/** Never answer: what a page shows while it loads. */
export function stall(method: Method, path: string) {
  return http[method](`*${path}`, () => new Promise<never>(() => undefined));
}

/** Break the connection. */
export function breakOff(method: Method, path: string) {
  return http[method](`*${path}`, () => HttpResponse.error());
}
