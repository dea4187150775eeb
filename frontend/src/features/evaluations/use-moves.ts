import { useRef } from "react";
import { useTranslation } from "react-i18next";

import { useShortcut } from "../../lib/shortcuts";

/** Move the focus through a list's rows with J and K; returns the list's ref. */
export function useMoves() {
  const { t } = useTranslation("evaluations");
  const list = useRef<HTMLUListElement>(null);
  const move = (by: number) => {
    const rows = [...(list.current?.children ?? [])];
    const now = rows.findIndex((row) => row.contains(document.activeElement));
    const next = now === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, now + by));
    const row = rows[next];
    if (row instanceof HTMLElement) row.focus();
  };
  useShortcut("j", t("items.next"), () => move(1));
  useShortcut("k", t("items.previous"), () => move(-1));
  return list;
}
