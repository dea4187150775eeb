import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ButtonLink } from "../components/ui/links";

import { PageHeader } from "../components/ui/page-header";
import { Empty, QueryView } from "../components/ui/states";
import { sessionQuery } from "../features/session/queries";
import { SignUpForm } from "../features/session/sign-up-form";
import { SignedInAlready } from "../features/session/signed-in-already";

const route = getRouteApi("/sign-up");

/** A new account, where registration is open or an invitation is in the address. */
export function SignUpPage() {
  const { t } = useTranslation("session");
  const { invitation, next } = route.useSearch();
  const session = useQuery(sessionQuery());
  return (
    <>
      <PageHeader title={t("signUp.title")} />
      <QueryView
        query={session}
        isEmpty={({ user, registration }) =>
          user === null && registration === "invited" && invitation === undefined
        }
        empty={
          <Empty
            title={t("signUp.needsInvitation")}
            action={
              <ButtonLink to="/" variant="default">
                {t("toTasks")}
              </ButtonLink>
            }
          >
            {t("signUp.needsInvitationNext")}
          </Empty>
        }
      >
        {({ user }) =>
          user === null ? (
            <SignUpForm invitation={invitation} next={next} />
          ) : (
            <SignedInAlready username={user.username} next={next} />
          )
        }
      </QueryView>
    </>
  );
}
