import { z } from "zod";

import { i18n } from "./i18n";

/** What a form says of a value that no sentence of its own is for, in the reader's language. */
function sentenceFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "too_small" && issue.origin !== "string") {
    return i18n.t("field.tooLow", { min: Number(issue.minimum) });
  }
  if (issue.code === "too_big" && issue.origin !== "string") {
    return i18n.t("field.tooHigh", { max: Number(issue.maximum) });
  }
  if (issue.code === "too_big") return i18n.t("field.atMost", { count: Number(issue.maximum) });
  if (issue.code !== "invalid_type") return undefined;
  return issue.expected === "int" ? i18n.t("field.wholeNumber") : i18n.t("field.needed");
}

z.config({ customError: sentenceFor });

export { z } from "zod";
