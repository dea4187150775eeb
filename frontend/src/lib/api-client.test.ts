import { expect, test } from "vitest";

import { makeTaskSummary } from "../mocks/factories/task";
import { server } from "../mocks/server";
import { answer, breakOff, refuse } from "../mocks/wire";
import {
  api,
  ApiProblem,
  isWorthRetrying,
  NOT_UNDERSTOOD,
  UNREACHABLE,
  unwrap,
} from "./api-client";

const listTasks = () => unwrap(api.GET("/api/v1/tasks"));

async function failure(): Promise<ApiProblem> {
  const error: unknown = await listTasks().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiProblem);
  return error as ApiProblem;
}

test("an answer is its data", async () => {
  server.use(answer("get", "/api/v1/tasks", [makeTaskSummary()]));
  expect(await listTasks()).toEqual([makeTaskSummary()]);
});

test("an answer without content is nothing", async () => {
  server.use(answer("delete", "/api/v1/session", null, 204));
  await expect(unwrap(api.DELETE("/api/v1/session"))).resolves.toBeUndefined();
});

test("a problem keeps everything the server said", async () => {
  const fields = { hypothesis: "Write at least 3 characters." };
  const facts = { least: 3 };
  server.use(refuse("get", "/api/v1/tasks", { status: 422, code: "invalid", fields, facts }));
  expect(await failure()).toMatchObject({
    status: 422,
    code: "invalid",
    fields,
    facts,
    requestId: "req-1",
  });
});

test("a broken connection is a problem of its own, worth another try", async () => {
  server.use(breakOff("get", "/api/v1/tasks"));
  const problem = await failure();
  expect(problem.code).toBe(UNREACHABLE);
  expect(isWorthRetrying(problem)).toBe(true);
});

test("an answer that is not ours is told apart", async () => {
  server.use(answer("get", "/api/v1/tasks", { message: "from a proxy" }, 502));
  expect(await failure()).toMatchObject({ status: 502, code: NOT_UNDERSTOOD, requestId: null });
});

test("what the server refused is not worth another try", () => {
  expect(isWorthRetrying(new ApiProblem({ status: 409, code: "x" }))).toBe(false);
  expect(isWorthRetrying(new Error("ours"))).toBe(false);
});
