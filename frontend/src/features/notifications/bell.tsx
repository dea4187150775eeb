import { ActionIcon } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import classes from "./notifications.module.css";
import { unreadQuery } from "./queries";

/** More than this is simply many. */
const COUNTED = 99;

/** The way to what one was told, with how much of it is unread. */
export function Bell() {
  const { t } = useTranslation("notifications");
  const unread = useQuery(unreadQuery());
  const count = unread.data ?? 0;
  const shown = count > COUNTED ? `${COUNTED}+` : String(count);
  return (
    <ActionIcon
      component={Link}
      to="/notifications"
      variant="subtle"
      size="lg"
      className={classes.bell}
      aria-label={count === 0 ? t("title") : t("unread", { count })}
    >
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden>
        <path
          d="M9 2a5 5 0 0 0-5 5v3.5L2.5 13h13L14 10.5V7a5 5 0 0 0-5-5zM7 15a2 2 0 0 0 4 0"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
        />
      </svg>
      {count > 0 && (
        <span className={classes.count} aria-hidden>
          {shown}
        </span>
      )}
    </ActionIcon>
  );
}
