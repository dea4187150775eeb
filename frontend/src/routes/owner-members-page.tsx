import { Stack } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { Section } from "../components/ui/section";
import { JoinLinks } from "../features/members/join-links";
import { MemberList } from "../features/members/member-list";
import { Participation } from "../features/members/participation";
import { OwnerFrame } from "./owner-frame";

/** Who has which role in a task, and how others get one. */
export function OwnerMembersPage() {
  const { slug } = useParams({ from: "/tasks/$slug/owner/members" });
  const { t } = useTranslation("members");
  return (
    <OwnerFrame slug={slug} section="members">
      {(task) => (
        <Stack gap="xl">
          <Section title={t("title")}>
            <MemberList slug={slug} />
          </Section>
          <Section title={t("links.title")}>
            <JoinLinks slug={slug} />
          </Section>
          <Section title={t("open.title")}>
            <Participation
              slug={slug}
              isOpenToEveryone={task.is_open_to_everyone}
              visitorsMayTry={task.visitors_may_try}
            />
          </Section>
        </Stack>
      )}
    </OwnerFrame>
  );
}
