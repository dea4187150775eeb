import { Group, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { PageHeader } from "../components/ui/page-header";
import { QueryView } from "../components/ui/states";
import { CreditView } from "../features/profile/credit";
import { OwnSettings } from "../features/profile/own-settings";
import { profileQuery } from "../features/profile/queries";
import { sessionQuery } from "../features/session/queries";
import { SignOutButton } from "../features/session/sign-out-button";
import { formatDate } from "../lib/format";

const route = getRouteApi("/users/$username");

/** A person: what they did, and for themselves what they can change. */
export function ProfilePage() {
  const { t, i18n } = useTranslation("profile");
  const { username } = route.useParams();
  const profile = useQuery(profileQuery(username));
  const me = useQuery(sessionQuery()).data?.user ?? null;
  const shown = profile.data;
  const isOwn = shown !== undefined && me?.username === shown.username;
  return (
    <>
      <PageHeader
        title={shown?.display_name === "" ? shown.username : (shown?.display_name ?? username)}
        {...(shown === undefined
          ? {}
          : {
              subtitle: (
                <Group gap="sm">
                  {shown.display_name !== "" && <span>{shown.username}</span>}
                  <span>{t("since", { date: formatDate(shown.created_at, i18n.language) })}</span>
                </Group>
              ),
            })}
        actions={isOwn ? <SignOutButton /> : undefined}
      />
      <QueryView query={profile}>
        {(person) => (
          <Stack gap="xl">
            <Stack component="section" gap="sm">
              <Title order={2} size="h3">
                {t("credit.title")}
              </Title>
              <CreditView username={person.username} isOwn={isOwn} />
            </Stack>
            {isOwn && <OwnSettings displayName={person.display_name} />}
          </Stack>
        )}
      </QueryView>
    </>
  );
}
