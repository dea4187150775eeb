import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { Empty, QueryView } from "../components/ui/states";
import { sessionQuery } from "../features/session/queries";

interface ForAdministratorsProps {
  /** Where signing in leads back to. */
  next: string;
  children: () => ReactNode;
}

/** A page for administrators; others are told so, and how to go on. */
export function ForAdministrators({ next, children }: ForAdministratorsProps) {
  const session = useQuery(sessionQuery());
  return (
    <QueryView
      query={session}
      isEmpty={({ user }) => user?.is_admin !== true}
      empty={<NotAdmin isSignedIn={session.data?.user != null} next={next} />}
    >
      {children}
    </QueryView>
  );
}

function NotAdmin({ isSignedIn, next }: { isSignedIn: boolean; next: string }) {
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
          <ButtonLink to="/sign-in" search={{ next }}>
            {t("signIn")}
          </ButtonLink>
        )
      }
    >
      {t("notAdminNext")}
    </Empty>
  );
}
