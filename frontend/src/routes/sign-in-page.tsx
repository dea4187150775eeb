import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../components/ui/page-header";
import { Loading, QueryView } from "../components/ui/states";
import { sessionQuery } from "../features/session/queries";
import { SignInForm } from "../features/session/sign-in-form";
import { SignedInAlready } from "../features/session/signed-in-already";

const route = getRouteApi("/sign-in");

/** Where one says who one is, and from where one goes on. */
export function SignInPage() {
  const { t } = useTranslation("session");
  const { next } = route.useSearch();
  // Who comes here may have been signed out elsewhere, so an old answer is asked for again.
  const session = useQuery({ ...sessionQuery(), refetchOnMount: "always" });
  return (
    <>
      <PageHeader title={t("signIn")} />
      <QueryView query={session}>
        {({ user }) => {
          if (user === null) return <SignInForm next={next} />;
          if (!session.isFetchedAfterMount) return <Loading />;
          return <SignedInAlready username={user.username} next={next} />;
        }}
      </QueryView>
    </>
  );
}
