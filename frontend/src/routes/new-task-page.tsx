import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../components/ui/page-header";
import { Loading, QueryView } from "../components/ui/states";
import { NewTask } from "../features/config-editor/new-task";
import { sessionQuery } from "../features/session/queries";
import { AdministratorsOnly } from "./administrators-only";
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
            <AdministratorsOnly isSignedIn={user !== null} next="/new-task" />
          )
        }
      </QueryView>
    </>
  );
}
