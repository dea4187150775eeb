/** A moment as a field of date and time holds it: in the reader's zone, "" for none. */
export function toLocalField(moment: string | null | undefined): string {
  if (moment === null || moment === undefined) return "";
  const at = new Date(moment);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  // What a field shows ends with the minutes; a second that somebody set is not lost.
  return local.endsWith(":00.000Z") ? local.slice(0, 16) : local.slice(0, 23);
}

/** The moment that a field of date and time says, in UTC; null for none. */
export function fromLocalField(written: string): string | null {
  const at = new Date(written);
  return written === "" || Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** What the reader's zone is called, as in "Europe/Berlin". */
export function zoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
