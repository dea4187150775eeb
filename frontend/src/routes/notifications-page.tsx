import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { NotificationList } from "../features/notifications/notification-list";
import { sessionQuery } from "../features/session/queries";

/** What one was told. */
export function NotificationsPage() {
  const { t } = useTranslation("notifications");
  const session = useQuery(sessionQuery());
  return (
    <>
      <PageHeader title={t("title")} />
      <QueryView
        query={session}
        loading={<Loading lines={6} />}
        isEmpty={({ user }) => user === null}
        empty={
          <Empty
            title={t("visitor")}
            action={
              <ButtonLink to="/sign-in" search={{ next: "/notifications" }}>
                {t("signIn")}
              </ButtonLink>
            }
          />
        }
      >
        {() => <NotificationList />}
      </QueryView>
    </>
  );
}
