import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { Empty } from "../components/ui/states";

interface AdministratorsOnlyProps {
  isSignedIn: boolean;
  /** Where signing in leads back to. */
  next: string;
}

/** What others can do where administrators add tasks: sign in, or propose one. */
export function AdministratorsOnly({ isSignedIn, next }: AdministratorsOnlyProps) {
  const { t } = useTranslation("config");
  return (
    <Empty
      title={t("new.notAdmin")}
      action={
        isSignedIn ? (
          <ButtonLink to="/propose">{t("new.propose")}</ButtonLink>
        ) : (
          <ButtonLink to="/sign-in" search={{ next }}>
            {t("new.signIn")}
          </ButtonLink>
        )
      }
    >
      {t("new.notAdminNext")}
    </Empty>
  );
}
