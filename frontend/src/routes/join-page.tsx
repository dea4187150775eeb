import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ButtonLink } from "../components/ui/links";

import { PageHeader } from "../components/ui/page-header";
import { Empty, QueryView } from "../components/ui/states";
import { JoinTask } from "../features/join/join-task";
import { sessionQuery } from "../features/session/queries";

const route = getRouteApi("/join/$secret");

/** The page of a join link. */
export function JoinPage() {
  const { t } = useTranslation("join");
  const { secret } = route.useParams();
  const session = useQuery(sessionQuery());
  const next = `/join/${encodeURIComponent(secret)}`;
  return (
    <>
      <PageHeader title={t("title")} />
      <QueryView query={session}>
        {({ user, registration }) =>
          user === null ? (
            <Empty
              title={t("signInFirst")}
              action={
                <Group gap="xs">
                  <ButtonLink to="/sign-in" search={{ next }}>
                    {t("signIn")}
                  </ButtonLink>
                  {registration === "open" && (
                    <ButtonLink to="/sign-up" search={{ next }} variant="default">
                      {t("signUp")}
                    </ButtonLink>
                  )}
                </Group>
              }
            >
              {t("signInFirstNext")}
            </Empty>
          ) : (
            <JoinTask secret={secret} username={user.username} />
          )
        }
      </QueryView>
    </>
  );
}
