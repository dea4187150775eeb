import { Anchor, Button, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { MoreButton } from "../../components/ui/more-button";
import { Empty, Loading, QueryView } from "../../components/ui/states";
import { formatDateTime } from "../../lib/format";
import classes from "./notifications.module.css";
import { type Notice, notificationsQuery, useMarkRead, useMarkReadThrough } from "./queries";

/** Everything that one was told, newest first. */
export function NotificationList() {
  const { t } = useTranslation("notifications");
  const list = useInfiniteQuery(notificationsQuery());
  const notices = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <QueryView
      query={list}
      loading={<Loading lines={6} />}
      isEmpty={() => notices.length === 0}
      empty={<Empty title={t("empty")}>{t("emptyNext")}</Empty>}
    >
      {({ pages }) => (
        <>
          <ReadAll newest={notices[0]} unread={pages[0]?.unread ?? 0} />
          <ul className={classes.list} aria-label={t("title")}>
            {notices.map((notice) => (
              <NoticeRow key={notice.id} notice={notice} />
            ))}
          </ul>
          <MoreButton list={list} mt="sm">
            {t("more")}
          </MoreButton>
        </>
      )}
    </QueryView>
  );
}

function ReadAll({ newest, unread }: { newest: Notice | undefined; unread: number }) {
  const { t } = useTranslation("notifications");
  const mark = useMarkReadThrough();
  return (
    <div>
      <Text role="status" c="dimmed" mb="xs">
        {unread === 0 ? t("allRead") : t("unreadHere", { count: unread })}
      </Text>
      {unread > 0 && newest !== undefined && (
        <Button variant="default" loading={mark.isPending} onClick={() => mark.mutate(newest.id)}>
          {t("readAll")}
        </Button>
      )}
      <FormAlert error={mark.error} />
    </div>
  );
}

function NoticeRow({ notice }: { notice: Notice }) {
  const { t, i18n } = useTranslation("notifications");
  const mark = useMarkRead();
  const { id, kind, details, path, created_at: moment, read_at: readAt } = notice;
  const isUnread = readAt === null;
  const { role = "" } = details;
  const sentence = t(`kinds.${kind}`, {
    ...details,
    role: isRole(role) ? t(`roles.${role}`) : role,
  });
  return (
    <li className={classes.notice} data-unread={isUnread}>
      <span>
        <Anchor
          component={Link}
          to={path}
          inherit
          onClick={() => {
            if (isUnread) mark.mutate(id);
          }}
        >
          {sentence}
        </Anchor>
        {isUnread && ` · ${t("new")}`}
      </span>
      <Text component="time" size="sm" c="dimmed" fw={400} dateTime={moment}>
        {formatDateTime(moment, i18n.language)}
      </Text>
    </li>
  );
}

function isRole(text: string): text is "owner" | "expert" | "annotator" {
  return text === "owner" || text === "expert" || text === "annotator";
}
