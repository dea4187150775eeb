import { notifyManager, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";

export const sessionKeys = {
  all: ["session"] as const,
};

/** Who is signed in here; asked once, and again when somebody signs in or out. */
export const sessionQuery = () =>
  queryOptions({
    queryKey: sessionKeys.all,
    queryFn: () => unwrap(api.GET("/api/v1/session")),
    staleTime: Infinity,
  });

/** Take a session that the server gave; everything fetched as somebody else is forgotten. */
function useTakeSession() {
  const client = useQueryClient();
  return (session: Schemas["SessionRead"]) => {
    client.setQueryData(sessionQuery().queryKey, session);
    void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKeys.all[0] });
  };
}

export function useSignIn() {
  return useMutation({
    mutationFn: (body: Schemas["SignIn"]) => unwrap(api.POST("/api/v1/session", { body })),
    onSuccess: useTakeSession(),
  });
}

/** Make an account, which signs in with it. */
export function useSignUp() {
  return useMutation({
    mutationFn: (body: Schemas["SignUp"]) => unwrap(api.POST("/api/v1/users", { body })),
    onSuccess: useTakeSession(),
  });
}

/** Set a new password with the secret of a link. */
export function useResetPassword(secret: string) {
  return useMutation({
    mutationFn: (newPassword: string) =>
      unwrap(
        api.POST("/api/v1/password-resets/{secret}", {
          params: { path: { secret } },
          body: { new_password: newPassword },
        }),
      ),
  });
}

/** Sign out; everything fetched as that person is forgotten, and what is theirs leaves the page. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(api.DELETE("/api/v1/session")),
    onSuccess: async () => {
      await client.refetchQueries({ queryKey: sessionKeys.all });
      // What only that person may fetch leaves the page first, else it would be asked for again.
      await new Promise<void>((shown) => notifyManager.schedule(shown));
      await client.resetQueries({
        predicate: ({ queryKey }) => queryKey[0] !== sessionKeys.all[0],
      });
    },
  });
}
