import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../../components/ui/links";
import { MenuButton } from "../../components/ui/menu-button";
import { sessionQuery, useSignOut } from "./queries";

/** Pages that one comes to for signing in, and does not want to come back to. */
const DOORS = ["/sign-in", "/sign-up", "/password-reset"];

/** The way to sign in, or the menu of who is signed in. Nothing while that is not known. */
export function UserMenu() {
  const { t } = useTranslation("session");
  const session = useQuery(sessionQuery());
  const signOut = useSignOut();
  const here = useLocation({ select: ({ href }) => href });
  if (session.isPending) return null;
  const user = session.data?.user ?? null;
  if (user === null) {
    const comesBack = here !== "/" && !DOORS.some((door) => here.startsWith(door));
    return (
      <ButtonLink to="/sign-in" search={comesBack ? { next: here } : {}} variant="default">
        {t("signIn")}
      </ButtonLink>
    );
  }
  const entries = [
    { name: t("profile"), to: `/users/${user.username}` },
    { name: t("proposals"), to: "/proposals" },
    ...(user.is_admin ? [{ name: t("administration"), to: "/admin" }] : []),
    { name: t("signOut"), onChoose: () => signOut.mutate() },
  ];
  return (
    <MenuButton label={t("menuOf", { name: user.username })} variant="default" entries={entries}>
      {user.username}
    </MenuButton>
  );
}
