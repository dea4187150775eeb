import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, ApiProblem, type Schemas, unwrap } from "../../lib/api-client";
import { idempotencyHeader } from "../../lib/idempotency";
import { type Desk, recallContext, rememberContext } from "./desk";

/** A lease lasts half an hour on the server; coming back after this long renews it. */
const LEASE_IS_FRESH = 10 * 60_000;
const NO_CONTEXT_LEFT = "assignments.no_context_left";

export const composeKeys = {
  all: ["compose"] as const,
  sample: (slug: string) => [...composeKeys.all, "sample", slug] as const,
  assignment: (desk: Desk) => [...composeKeys.all, "assignment", desk.round, desk.user] as const,
  mine: (roundId: string, contextId: string) =>
    [...composeKeys.all, "mine", roundId, contextId] as const,
  progress: (roundId: string) => [...composeKeys.all, "progress", roundId] as const,
};

/** A context to play with; null where the task has none. */
export const sampleContextQuery = (slug: string) =>
  queryOptions({
    queryKey: composeKeys.sample(slug),
    queryFn: () =>
      unwrap(api.GET("/api/v1/tasks/{slug}/sample-context", { params: { path: { slug } } })),
    staleTime: Infinity,
  });

const askForContext = (roundId: string, skip: readonly string[]) =>
  unwrap(
    api.POST("/api/v1/rounds/{round_id}/next-context", {
      params: { path: { round_id: roundId } },
      body: { skip: [...skip], tags: [] },
    }),
  );

const resumeContext = (roundId: string, contextId: string) =>
  unwrap(
    api.PUT("/api/v1/rounds/{round_id}/contexts/{context_id}/lease", {
      params: { path: { round_id: roundId, context_id: contextId } },
    }),
  );

/** The context on the desk: the one that was there before a reload, else the next. */
export const assignmentQuery = (desk: Desk) =>
  queryOptions({
    queryKey: composeKeys.assignment(desk),
    queryFn: async () => {
      const before = recallContext(desk);
      if (before !== null) {
        try {
          return await resumeContext(desk.round, before);
        } catch (failure) {
          // The context may be gone; everything else is told.
          if (!(failure instanceof ApiProblem) || failure.status !== 404) throw failure;
        }
      }
      const assignment = await askForContext(desk.round, []);
      rememberContext(desk, assignment.context.id);
      return assignment;
    },
    staleTime: LEASE_IS_FRESH,
  });

/** Whether a failure says that there is nothing left to write about. */
export function saysNoContextLeft(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.code === NO_CONTEXT_LEFT;
}

/** Put another context on the desk, passing over the given ones. */
export function useNextContext(desk: Desk) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (skip: readonly string[]) => askForContext(desk.round, skip),
    onSuccess: (assignment) => {
      rememberContext(desk, assignment.context.id);
      client.setQueryData(assignmentQuery(desk).queryKey, assignment);
    },
  });
}

/** The reader's own tries on a context, newest first. */
export const myTriesQuery = (roundId: string, contextId: string) =>
  queryOptions({
    queryKey: composeKeys.mine(roundId, contextId),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/examples/mine", {
          params: { path: { round_id: roundId }, query: { context_id: contextId } },
        }),
      ),
  });

export const myProgressQuery = (roundId: string) =>
  queryOptions({
    queryKey: composeKeys.progress(roundId),
    queryFn: () =>
      unwrap(
        api.GET("/api/v1/rounds/{round_id}/my-progress", {
          params: { path: { round_id: roundId } },
        }),
      ),
  });

interface Submission {
  body: Schemas["ExampleCreate"];
  key: string;
}

export function useSubmitExample(desk: Desk) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ body, key }: Submission) =>
      unwrap(
        api.POST("/api/v1/rounds/{round_id}/examples", {
          params: { path: { round_id: desk.round }, header: idempotencyHeader(key) },
          body,
        }),
      ),
    onSuccess: (example) => {
      const mine = myTriesQuery(desk.round, example.context_id).queryKey;
      client.setQueryData(mine, (tries = []) =>
        tries.some(({ id }) => id === example.id) ? tries : [example, ...tries],
      );
      client.setQueryData(
        assignmentQuery(desk).queryKey,
        (held) =>
          held && {
            ...held,
            tries: held.tries + 1,
            tries_left: example.tries_left ?? Math.max(held.tries_left - 1, 0),
          },
      );
      void client.invalidateQueries({ queryKey: composeKeys.progress(desk.round) });
    },
  });
}

/** Put an example that the server sent back into the list it stands in. */
function useReplaceExample() {
  const client = useQueryClient();
  return (example: Schemas["ExampleRead"]) => {
    const mine = myTriesQuery(example.round_id, example.context_id).queryKey;
    client.setQueryData(mine, (tries) =>
      tries?.map((one) => (one.id === example.id ? example : one)),
    );
    void client.invalidateQueries({ queryKey: composeKeys.progress(example.round_id) });
  };
}

/** Add explanations, or say whether the model was fooled where the task asks its author. */
export function useChangeExample(exampleId: string) {
  return useMutation({
    // One after the other, so that the last words are the ones that stay.
    scope: { id: `example ${exampleId}` },
    mutationFn: (body: Schemas["ExamplePatch"]) =>
      unwrap(
        api.PATCH("/api/v1/examples/{example_id}", {
          params: { path: { example_id: exampleId } },
          body,
        }),
      ),
    onSuccess: useReplaceExample(),
  });
}

export function useRetractExample(exampleId: string) {
  return useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/api/v1/examples/{example_id}/retract", {
          params: { path: { example_id: exampleId } },
        }),
      ),
    onSuccess: useReplaceExample(),
  });
}

export function useFlagExample(exampleId: string) {
  return useMutation({
    mutationFn: (reason: string) =>
      unwrap(
        api.POST("/api/v1/examples/{example_id}/flag", {
          params: { path: { example_id: exampleId } },
          body: { reason },
        }),
      ),
    onSuccess: useReplaceExample(),
  });
}

/** Ask a task's target something without an account; nothing of it is kept. */
export function useTry(slug: string) {
  return useMutation({
    mutationFn: (body: Schemas["TryCreate"]) =>
      unwrap(api.POST("/api/v1/tasks/{slug}/tries", { params: { path: { slug } }, body })),
  });
}
