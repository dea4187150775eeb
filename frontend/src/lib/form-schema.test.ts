import { afterEach, expect, test } from "vitest";

import { z } from "./form-schema";
import { showLanguage } from "./i18n/languages";

afterEach(async () => {
  await showLanguage("en");
});

function complaint(schema: z.ZodType, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}

test.each([
  [z.int().min(1), 0, "Demasiado pequeño; el mínimo es 1."],
  [z.number().max(25), 26, "Demasiado grande; el máximo es 25."],
  [z.int(), 1.5, "Un número entero."],
  [z.number(), Number.NaN, "Esto hace falta."],
  [z.string().max(2), "abc", "Como máximo 2 caracteres."],
])("a form's own rules are told in the reader's language (%#)", async (schema, value, said) => {
  await showLanguage("es");
  expect(complaint(schema, value)).toBe(said);
});

test("a sentence that a form has for a rule goes before", () => {
  expect(complaint(z.string().min(1, "Give it a name."), "")).toBe("Give it a name.");
});
