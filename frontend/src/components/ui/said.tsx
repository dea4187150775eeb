import { useTranslation } from "react-i18next";

import type { Schemas } from "../../lib/api-client";
import { toldSentence } from "../../lib/i18n/told";

interface SaidProps {
  /** The server's sentence, in English. */
  sentence: string;
  /** What it says; without it the sentence stands as it is. */
  told: Schemas["Told"] | null | undefined;
}

/** A sentence of the server in the reader's language; where that has none, marked as English. */
export function Said({ sentence, told }: SaidProps) {
  const { i18n } = useTranslation();
  const translated = told ? toldSentence(told) : null;
  if (translated !== null || i18n.language === "en") return translated ?? sentence;
  return <span lang="en">{sentence}</span>;
}
