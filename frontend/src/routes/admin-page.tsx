import { Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ButtonLink } from "../components/ui/links";

import { PageHeader } from "../components/ui/page-header";
import { Empty, QueryView } from "../components/ui/states";
import { Invitations } from "../features/admin/invitations";
import { Jobs } from "../features/admin/jobs";
import { People } from "../features/admin/people";
import { sessionQuery } from "../features/session/queries";

const route = getRouteApi("/admin");

/** Accounts, invitations and jobs, for administrators. */
export function AdminPage() {
  const { t } = useTranslation("admin");
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useQuery(sessionQuery());
  return (
    <>
      <PageHeader title={t("title")} />
      <QueryView
        query={session}
        isEmpty={({ user }) => user?.is_admin !== true}
        empty={<NotAdmin isSignedIn={session.data?.user != null} />}
      >
        {() => (
          <Stack gap="xl">
            <Section title={t("people.title")}>
              <People
                search={search ?? ""}
                onSearch={(text) =>
                  void navigate({ search: text === "" ? {} : { search: text }, replace: true })
                }
              />
            </Section>
            <Section title={t("invitations.title")}>
              <Invitations />
            </Section>
            <Section title={t("jobs.title")}>
              <Jobs />
            </Section>
          </Stack>
        )}
      </QueryView>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h3">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

function NotAdmin({ isSignedIn }: { isSignedIn: boolean }) {
  const { t } = useTranslation("admin");
  return (
    <Empty
      title={t("notAdmin")}
      action={
        isSignedIn ? (
          <ButtonLink to="/" variant="default">
            {t("toTasks")}
          </ButtonLink>
        ) : (
          <ButtonLink to="/sign-in" search={{ next: "/admin" }}>
            {t("signIn")}
          </ButtonLink>
        )
      }
    >
      {t("notAdminNext")}
    </Empty>
  );
}
