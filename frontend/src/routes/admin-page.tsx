import { Stack, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { AnchorLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Invitations } from "../features/admin/invitations";
import { Jobs } from "../features/admin/jobs";
import { People } from "../features/admin/people";
import { ForAdministrators } from "./for-administrators";

const route = getRouteApi("/admin");

/** Accounts, invitations and jobs, for administrators. */
export function AdminPage() {
  const { t } = useTranslation("admin");
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader
        title={t("title")}
        subtitle={<AnchorLink to="/admin/audit">{t("toAudit")}</AnchorLink>}
      />
      <ForAdministrators next="/admin">
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
      </ForAdministrators>
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
