import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { Gallery } from "../features/gallery/gallery";
import { JobProgress } from "../features/jobs/job-progress";
import { sessionQuery } from "../features/session/queries";

/** Where administrators add tasks that come with the package. */
export function GalleryPage() {
  const { t } = useTranslation("gallery");
  const session = useQuery(sessionQuery());
  return (
    <>
      <PageHeader
        title={t("title")}
        subtitle={t("subtitle")}
        actions={
          <ButtonLink to="/new-task" variant="default">
            {t("own")}
          </ButtonLink>
        }
      />
      <QueryView query={session} loading={<Loading lines={8} />}>
        {({ user }) =>
          user?.is_admin === true ? (
            <Gallery renderJob={(jobId, title) => <JobProgress jobId={jobId} title={title} />} />
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
          <ButtonLink to="/sign-in" search={{ next: "/gallery" }}>
            {t("new.signIn")}
          </ButtonLink>
        )
      }
    >
      {t("new.notAdminNext")}
    </Empty>
  );
}
