import { Button, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { sessionQuery, useSignOut } from "./queries";

/** The way to sign in, or the menu of who is signed in. Nothing while that is not known. */
export function UserMenu() {
  const { t } = useTranslation("session");
  const session = useQuery(sessionQuery());
  const signOut = useSignOut();
  if (session.isPending) return null;
  const user = session.data?.user ?? null;
  if (user === null) {
    return (
      <Button component={Link} to="/sign-in" variant="default">
        {t("signIn")}
      </Button>
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
        <Menu.Item onClick={() => signOut.mutate()}>{t("signOut")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
