import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";

import { api, type Schemas, unwrap } from "../../lib/api-client";

export const profileKeys = {
  all: ["profile"] as const,
  one: (username: string) => [...profileKeys.all, "one", username] as const,
  credit: (username: string) => [...profileKeys.all, "credit", username] as const,
  tokens: () => [...profileKeys.all, "tokens"] as const,
};

export const profileQuery = (username: string) =>
  queryOptions({
    queryKey: profileKeys.one(username),
    queryFn: () => unwrap(api.GET("/api/v1/users/{username}", { params: { path: { username } } })),
  });

/** What a person did, round by round. */
export const creditQuery = (username: string) =>
  queryOptions({
    queryKey: profileKeys.credit(username),
    queryFn: () =>
      unwrap(api.GET("/api/v1/users/{username}/credit", { params: { path: { username } } })),
  });

/** The reader's own API tokens, without their secrets. */
export const tokensQuery = () =>
  queryOptions({
    queryKey: profileKeys.tokens(),
    queryFn: () => unwrap(api.GET("/api/v1/users/me/tokens")),
  });

export function useChangeDisplayName() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (displayName: string) =>
      unwrap(api.PATCH("/api/v1/users/me", { body: { display_name: displayName } })),
    // The name stands on many pages.
    onSuccess: () => client.invalidateQueries(),
  });
}

export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["PasswordChange"]) =>
      unwrap(api.POST("/api/v1/users/me/password", { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: profileKeys.tokens() }),
  });
}

export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["ApiTokenCreate"]) =>
      unwrap(api.POST("/api/v1/users/me/tokens", { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: profileKeys.tokens() }),
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tokenId: string) =>
      unwrap(
        api.DELETE("/api/v1/users/me/tokens/{token_id}", {
          params: { path: { token_id: tokenId } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: profileKeys.tokens() }),
  });
}
