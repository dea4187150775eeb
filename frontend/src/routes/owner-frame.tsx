import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { AnchorLink, ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { SignInLink } from "../features/compose/sign-in-link";
import { sessionQuery } from "../features/session/queries";
import { DraftNotice } from "../features/tasks/draft-notice";
import { taskQuery } from "../features/tasks/queries";
import type { Schemas } from "../lib/api-client";
import classes from "./owner-frame.module.css";

type Task = Schemas["TaskRead"];

const SECTIONS = [
  { section: "rounds", to: "/tasks/$slug/owner" },
  { section: "examples", to: "/tasks/$slug/owner/examples" },
  { section: "contexts", to: "/tasks/$slug/owner/contexts" },
  { section: "models", to: "/tasks/$slug/owner/models" },
  { section: "members", to: "/tasks/$slug/owner/members" },
  { section: "datasets", to: "/tasks/$slug/owner/datasets" },
  { section: "data", to: "/tasks/$slug/owner/data" },
  { section: "training", to: "/tasks/$slug/owner/training" },
  { section: "config", to: "/tasks/$slug/owner/config" },
  { section: "audit", to: "/tasks/$slug/owner/audit" },
] as const;

interface OwnerFrameProps {
  slug: string;
  section: (typeof SECTIONS)[number]["section"];
  children: (task: Task) => ReactNode;
}

/** What stands around every part of the owner's console, for those who may see the part. */
export function OwnerFrame({ slug, section, children }: OwnerFrameProps) {
  const { t } = useTranslation("owner");
  const task = useQuery(taskQuery(slug));
  const found = task.data;
  const isExpert = found?.my_role === "expert";
  const isOwner = found?.my_role === "owner";
  const mayRead = isOwner || (isExpert && section === "examples");
  return (
    <>
      <PageHeader
        title={
          found === undefined ? t("loadingTitle") : t(`title.${section}`, { task: found.title })
        }
        subtitle={
          <AnchorLink to="/tasks/$slug" params={{ slug }}>
            {t("toTask")}
          </AnchorLink>
        }
      />
      <QueryView query={task} loading={<Loading lines={8} />}>
        {(one) => (
          <>
            {isOwner && <Sections slug={slug} />}
            {isOwner && <DraftNotice task={one} />}
            {mayRead ? children(one) : <NoAccess slug={slug} isExpert={isExpert} />}
          </>
        )}
      </QueryView>
    </>
  );
}

function Sections({ slug }: { slug: string }) {
  const { t } = useTranslation("owner");
  return (
    <nav aria-label={t("nav.label")}>
      <ul className={classes.nav}>
        {SECTIONS.map(({ section, to }) => (
          <li key={section}>
            <Link to={to} params={{ slug }} activeOptions={{ exact: true, includeSearch: false }}>
              {t(`nav.${section}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function NoAccess({ slug, isExpert }: { slug: string; isExpert: boolean }) {
  const { t } = useTranslation("owner");
  const session = useQuery(sessionQuery());
  if (isExpert) {
    return (
      <Empty
        title={t("notOwner.title")}
        action={
          <ButtonLink to="/tasks/$slug/owner/examples" params={{ slug }} mt="xs">
            {t("notOwner.examples")}
          </ButtonLink>
        }
      >
        {t("notOwner.body")}
      </Empty>
    );
  }
  return (
    <Empty
      title={t("noRole.title")}
      action={
        session.data?.user === null ? (
          <SignInLink isButton>{t("noRole.signIn")}</SignInLink>
        ) : (
          <ButtonLink to="/tasks/$slug" params={{ slug }} mt="xs">
            {t("toTask")}
          </ButtonLink>
        )
      }
    >
      {t("noRole.body")}
    </Empty>
  );
}
