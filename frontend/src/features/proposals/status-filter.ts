import type { Schemas } from "../../lib/api-client";

export type Status = Schemas["ProposalStatus"];

export const STATUSES: readonly Status[] = [
  "open",
  "changes_asked",
  "accepted",
  "rejected",
  "withdrawn",
];

/** `?status=open`; anything else filters nothing. */
export function readProposalFilter({ status }: Record<string, unknown>): { status?: Status } {
  const known = STATUSES.find((one) => one === status);
  return known === undefined ? {} : { status: known };
}
