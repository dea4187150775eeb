import { useTranslation } from "react-i18next";

import { ApiProblem, NOT_UNDERSTOOD, UNREACHABLE } from "../../lib/api-client";

/** A failure as a sentence for a person, and the request to name when asking about it. */
export function useProblemText(error: unknown): { sentence: string; requestId: string | null } {
  const { t } = useTranslation();
  if (!(error instanceof ApiProblem)) {
    return { sentence: t("failed.page.unknown"), requestId: null };
  }
  const { code, detail, status, requestId } = error;
  if (code === UNREACHABLE) return { sentence: t("failed.page.unreachable"), requestId };
  if (code === NOT_UNDERSTOOD || detail === "") {
    return { sentence: t("failed.page.not_understood", { status }), requestId };
  }
  return { sentence: detail, requestId };
}
