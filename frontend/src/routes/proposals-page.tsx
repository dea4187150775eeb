import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { ProposalList } from "../features/proposals/proposal-list";
import { sessionQuery } from "../features/session/queries";

const route = getRouteApi("/proposals");

/** One's own proposals; for administrators everybody's. */
export function ProposalsPage() {
  const { t } = useTranslation("proposals");
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useQuery(sessionQuery());
  return (
    <>
      <PageHeader
        title={t("title")}
        subtitle={t("subtitle")}
        actions={session.data?.user && <ButtonLink to="/propose">{t("propose")}</ButtonLink>}
      />
      <QueryView
        query={session}
        loading={<Loading lines={6} />}
        isEmpty={({ user }) => user === null}
        empty={
          <Empty
            title={t("visitor")}
            action={
              <ButtonLink to="/sign-in" search={{ next: "/proposals" }}>
                {t("signIn")}
              </ButtonLink>
            }
          />
        }
      >
        {() => (
          <ProposalList
            status={status ?? null}
            onStatus={(next) =>
              void navigate({ search: next === null ? {} : { status: next }, replace: true })
            }
          />
        )}
      </QueryView>
    </>
  );
}
