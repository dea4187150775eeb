import type { Schemas } from "../../lib/api-client";

export function makeUser(given: Partial<Schemas["UserRead"]> = {}): Schemas["UserRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000001",
    username: "ada",
    display_name: "Ada",
    is_admin: false,
    created_at: "2026-01-05T09:00:00Z",
    disabled_at: null,
    ...given,
  };
}

/** A visitor's session; `user: makeUser()` signs somebody in. */
export function makeSession(given: Partial<Schemas["SessionRead"]> = {}): Schemas["SessionRead"] {
  return { user: null, registration: "open", ...given };
}
