import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ButtonLink } from "../../components/ui/links";

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
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" aria-label={t("menuOf", { name: user.username })}>
          {user.username}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`/users/${user.username}`}>
          {t("profile")}
        </Menu.Item>
        <Menu.Item component={Link} to="/proposals">
          {t("proposals")}
        </Menu.Item>
        {user.is_admin && (
          <Menu.Item component={Link} to="/admin">
            {t("administration")}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => signOut.mutate()}>{t("signOut")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
