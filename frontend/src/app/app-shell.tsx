import { Anchor, Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

import { Kbd } from "../components/ui/kbd";
import { Bell } from "../features/notifications/bell";
import { sessionQuery } from "../features/session/queries";
import { UserMenu } from "../features/session/user-menu";
import { useExpectPageFocus } from "../lib/page-focus";
import { ariaKeys, useShortcut } from "../lib/shortcuts";
import classes from "./app-shell.module.css";
import { ColourSchemeToggle } from "./colour-scheme-toggle";
import { LanguageMenu } from "./language-menu";

const ShortcutHelp = lazy(async () => {
  const { ShortcutHelp: component } = await import("../components/ui/shortcut-help");
  return { default: component };
});

/** Pages below this address stand in other people's frames, without ours around them. */
const EMBEDDED = "/embed/";

/** The frame of every page: a slim header, the content, and nothing below it. */
export function AppShell() {
  const { t } = useTranslation("app");
  const session = useQuery(sessionQuery());
  const [isHelpOpen, setHelpOpen] = useState(false);
  const help = t("keys");
  useShortcut("?", help, () => setHelpOpen(true));
  useFocusOnPageChange();
  const isEmbedded = useLocation({ select: ({ pathname }) => pathname.startsWith(EMBEDDED) });
  if (isEmbedded) {
    return (
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    );
  }
  return (
    <>
      <a href="#content" className={classes.skip}>
        {t("skip")}
      </a>
      <header className={classes.header}>
        <Group component="nav" gap="sm" aria-label={t("mainNavigation")}>
          <Anchor component={Link} to="/" className={classes.product}>
            {t("product")}
          </Anchor>
          <Anchor component={Link} to="/" activeOptions={{ exact: true }} className={classes.tasks}>
            {t("tasks")}
          </Anchor>
        </Group>
        <Group gap={4} wrap="nowrap" className={classes.tools}>
          <Button
            variant="subtle"
            className={classes.keys}
            onClick={() => setHelpOpen(true)}
            rightSection={<Kbd keys="?" />}
            aria-keyshortcuts={ariaKeys("?")}
          >
            {help}
          </Button>
          <ColourSchemeToggle />
          <LanguageMenu />
          {session.data?.user != null && <Bell />}
          <UserMenu />
        </Group>
      </header>
      <main id="content" className={classes.content} tabIndex={-1}>
        <Outlet />
      </main>
      {isHelpOpen && (
        <Suspense>
          <ShortcutHelp isOpen onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** A new address hands the focus to its heading; a filter in the address does not. */
function useFocusOnPageChange(): void {
  const router = useRouter();
  const expect = useExpectPageFocus();
  useEffect(
    () =>
      router.subscribe("onBeforeNavigate", ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation !== undefined) expect();
      }),
    [router, expect],
  );
}
