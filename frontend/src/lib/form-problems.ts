import type { FieldPath, FieldValues, UseFormSetError } from "react-hook-form";

import { ApiProblem } from "./api-client";
import { problemSentence } from "./i18n/problems";

/**
 * Put the server's sentences beside the fields they are about. A failure of one field is said in
 * the reader's language where that has a sentence for it.
 *
 * Returns whether every complaint found a field of the form; where not, the caller shows the
 * problem in the form's one alert line.
 */
export function showFieldProblems<Values extends FieldValues>(
  error: unknown,
  setError: UseFormSetError<Values>,
  fields: readonly FieldPath<Values>[],
): boolean {
  if (!(error instanceof ApiProblem)) return false;
  const complaints = Object.entries(error.fields);
  const translated = complaints.length === 1 ? problemSentence(error) : null;
  const known = complaints.filter(([field]) => fields.some((name) => name === field));
  known.forEach(([field, message], index) => {
    const told = { type: "server", message: translated ?? message };
    setError(field as FieldPath<Values>, told, { shouldFocus: index === 0 });
  });
  return complaints.length > 0 && known.length === complaints.length;
}
