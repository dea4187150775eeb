import type { Schemas } from "../../lib/api-client";

export function makeProfile(given: Partial<Schemas["ProfileRead"]> = {}): Schemas["ProfileRead"] {
  return { username: "ada", display_name: "Ada", created_at: "2026-01-05T09:00:00Z", ...given };
}

export function makeCredit(given: Partial<Schemas["CreditRead"]> = {}): Schemas["CreditRead"] {
  return {
    task_slug: "nli",
    round_number: 1,
    tries: 14,
    fooled: 5,
    verified_fooled: 3,
    pending: 2,
    votes: 20,
    ...given,
  };
}

export function makeToken(given: Partial<Schemas["ApiTokenRead"]> = {}): Schemas["ApiTokenRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000020",
    name: "laptop",
    scope: "write",
    created_at: "2026-01-05T09:00:00Z",
    expires_at: null,
    last_used_at: null,
    ...given,
  };
}

export function makeInvitation(
  given: Partial<Schemas["InvitationRead"]> = {},
): Schemas["InvitationRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000030",
    note: "for Grace",
    created_at: "2026-01-05T09:00:00Z",
    expires_at: "2026-01-19T09:00:00Z",
    accepted_by: null,
    accepted_at: null,
    ...given,
  };
}

export function makeJob(given: Partial<Schemas["JobRead"]> = {}): Schemas["JobRead"] {
  return {
    id: "0b0e7c60-0000-4000-8000-000000000040",
    name: "release",
    state: "running",
    progress: 0.4,
    message: "Writing the splits",
    result: null,
    error: null,
    created_at: "2026-01-05T09:00:00Z",
    started_at: "2026-01-05T09:00:01Z",
    finished_at: null,
    ...given,
  };
}
