import type { FieldPath, FieldValues, UseFormSetError } from "react-hook-form";

import { ApiProblem } from "./api-client";

/**
 * Put the server's sentences beside the fields they are about.
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
  const known = complaints.filter(([field]) => fields.some((name) => name === field));
  known.forEach(([field, message], index) => {
    setError(field as FieldPath<Values>, { type: "server", message }, { shouldFocus: index === 0 });
  });
  return complaints.length > 0 && known.length === complaints.length;
}
