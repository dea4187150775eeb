import { expect, test } from "vitest";

import { fromLocalField, toLocalField } from "./local-moment";

test("a moment is shown in the reader's zone and comes back as it was", () => {
  const moment = "2027-03-01T09:30:00.000Z";
  const shown = toLocalField(moment);
  expect(shown).toMatch(/^2027-0[23]-\d\dT\d\d:\d\d$/u);
  expect(new Date(shown).getTime()).toBe(Date.parse(moment));
  expect(fromLocalField(shown)).toBe(moment);
});

test("seconds that somebody set are kept", () => {
  const moment = "2027-03-01T09:30:15.000Z";
  expect(fromLocalField(toLocalField(moment))).toBe(moment);
});

test("no time is an empty field, and an empty field no time", () => {
  expect(toLocalField(null)).toBe("");
  expect(toLocalField(undefined)).toBe("");
  expect(fromLocalField("")).toBeNull();
  expect(fromLocalField("soon")).toBeNull();
});
