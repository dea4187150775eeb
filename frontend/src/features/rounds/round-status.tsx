import { useTranslation } from "react-i18next";

import type { Round } from "./queries";
import classes from "./rounds.module.css";

/** Where a round stands, as a word with a mark. */
export function RoundStatus({ status }: { status: Round["status"] }) {
  const { t } = useTranslation("rounds");
  return (
    <span className={classes.status} data-status={status}>
      {t(`status.${status}`)}
    </span>
  );
}
