import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { NewTask } from "../features/config-editor/new-task";
import { sessionQuery } from "../features/session/queries";
import { ConfigPreview } from "./config-preview";

/** Where administrators make a task. */
export function NewTaskPage() {
  const { t } = useTranslation("config");
  const session = useQuery(sessionQuery());
  return (
    <>
      <PageHeader title={t("new.title")} subtitle={t("new.subtitle")} />
      <QueryView query={session} loading={<Loading lines={12} />}>
        {({ user }) =>
          user?.is_admin === true ? (
            <NewTask
              user={user.username}
              renderPreview={(config) => <ConfigPreview config={config} />}
            />
          ) : (
            <NotAdmin isSignedIn={user !== null} />
          )
        }
      </QueryView>
    </>
  );
}

function NotAdmin({ isSignedIn }: { isSignedIn: boolean }) {
  const { t } = useTranslation("config");
  return (
    <Empty
      title={t("new.notAdmin")}
      action={
        isSignedIn ? (
          <ButtonLink to="/propose">{t("new.propose")}</ButtonLink>
        ) : (
          <ButtonLink to="/sign-in" search={{ next: "/new-task" }}>
            {t("new.signIn")}
          </ButtonLink>
        )
      }
    >
      {t("new.notAdminNext")}
    </Empty>
  );
}
