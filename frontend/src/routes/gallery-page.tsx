import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Loading, QueryView } from "../components/ui/states";
import { Gallery } from "../features/gallery/gallery";
import { JobProgress } from "../features/jobs/job-progress";
import { sessionQuery } from "../features/session/queries";
import { AdministratorsOnly } from "./administrators-only";

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
            <AdministratorsOnly isSignedIn={user !== null} next="/gallery" />
          )
        }
      </QueryView>
    </>
  );
}
