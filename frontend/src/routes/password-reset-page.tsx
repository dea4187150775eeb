import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../components/ui/page-header";
import { PasswordResetForm } from "../features/session/password-reset-form";

const route = getRouteApi("/password-reset/$secret");

/** The page of a password link; nothing is fetched, so it has no loading state. */
export function PasswordResetPage() {
  const { t } = useTranslation("session");
  const { secret } = route.useParams();
  return (
    <>
      <PageHeader title={t("reset.title")} />
      <PasswordResetForm secret={secret} />
    </>
  );
}
