import { useTranslation } from "react-i18next";

import { ApiProblem, NOT_UNDERSTOOD, UNREACHABLE } from "../../lib/api-client";
import { toldSentence } from "../../lib/i18n/told";

interface ProblemText {
  sentence: string;
  /** The sentence's own language where it is not the page's: what the server says is English. */
  lang?: "en";
  requestId: string | null;
}

/** A failure as a sentence for a person, and the request to name when asking about it. */
export function useProblemText(error: unknown): ProblemText {
  const { t, i18n } = useTranslation();
  if (!(error instanceof ApiProblem)) {
    return { sentence: t("failed.page.unknown"), requestId: null };
  }
  const { code, detail, status, requestId } = error;
  if (code === UNREACHABLE) return { sentence: t("failed.page.unreachable"), requestId };
  if (code === NOT_UNDERSTOOD || detail === "") {
    return { sentence: t("failed.page.not_understood", { status }), requestId };
  }
  const translated = toldSentence({ code, values: error.facts });
  if (translated !== null) return { sentence: translated, requestId };
  return { sentence: detail, requestId, ...(i18n.language === "en" ? {} : { lang: "en" }) };
}
