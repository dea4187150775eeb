import type { TFunction } from "i18next";
import { z } from "zod";

export const SHORTEST_PASSWORD = 10;
const LONGEST_PASSWORD = 200;
const SHORTEST_NAME = 2;
const LONGEST_NAME = 32;

/** A password that the server takes. */
export function passwordField(t: TFunction<"session">) {
  return z
    .string()
    .min(SHORTEST_PASSWORD, t("password.tooShort", { count: SHORTEST_PASSWORD }))
    .max(LONGEST_PASSWORD, t("password.tooLong", { count: LONGEST_PASSWORD }));
}

/** A name that the server takes. */
export function usernameField(t: TFunction<"session">) {
  return z
    .string()
    .trim()
    .min(SHORTEST_NAME, t("username.tooShort", { count: SHORTEST_NAME }))
    .max(LONGEST_NAME, t("username.tooLong", { count: LONGEST_NAME }))
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*[A-Za-z0-9]$/, t("username.characters"));
}
