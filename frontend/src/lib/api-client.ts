import createClient from "openapi-fetch";

import type { components, paths } from "../api/schema.gen";

export type Schemas = components["schemas"];
/** A failure on the wire; `$defs` is the schema's own and not sent. */
export type Problem = Omit<Schemas["Problem"], "$defs">;

/** The wire. `fetch` is looked up at call time so that tests can stand in for the network. */
export const api = createClient<paths>({
  baseUrl: globalThis.location.origin,
  credentials: "same-origin",
  fetch: (request) => globalThis.fetch(request),
});

/** Codes that the page itself gives, where the server said nothing of its own. */
export const UNREACHABLE = "page.unreachable";
export const NOT_UNDERSTOOD = "page.not_understood";

/** A request that did not succeed, with what the server said about it. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly facts: Readonly<Record<string, unknown>>;
  /** A sentence for each wrong field of the input. */
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | null;

  constructor(problem: Partial<Problem> & { status: number; code: string }, cause?: unknown) {
    super(problem.detail ?? problem.code, { cause });
    this.name = "ApiProblem";
    this.status = problem.status;
    this.code = problem.code;
    this.detail = problem.detail ?? "";
    this.facts = problem.facts ?? {};
    this.fields = problem.fields ?? {};
    this.requestId = problem.request_id === "" ? null : (problem.request_id ?? null);
  }
}

export function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && "code" in body && "status" in body;
}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/**
 * Return the data of an answer, or throw an `ApiProblem`: the server's own, or one that says
 * the server was not reached or answered something that is not ours (a proxy's page).
 */
export async function unwrap<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  let answer: Answer<Data>;
  try {
    answer = await asked;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiProblem({ status: 0, code: UNREACHABLE }, cause);
  }
  const { response } = answer;
  if (response.ok) return answer.data as Data;
  if (isProblem(answer.error)) throw new ApiProblem(answer.error);
  throw new ApiProblem({
    status: response.status,
    code: NOT_UNDERSTOOD,
    request_id: response.headers.get("X-Request-ID") ?? "",
  });
}

/** Whether trying the same request again can help: the fault was not in the request. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status >= 500);
}
