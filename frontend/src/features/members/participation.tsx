import { Stack, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { useParticipation } from "./queries";

interface ParticipationProps {
  slug: string;
  isOpenToEveryone: boolean;
  visitorsMayTry: boolean;
}

/** Whether everybody who is signed in can take part, or members alone; and who may play. */
export function Participation({ slug, isOpenToEveryone, visitorsMayTry }: ParticipationProps) {
  const { t } = useTranslation("members");
  const change = useParticipation(slug);
  return (
    <Stack gap="xs">
      <Switch
        label={t("open.label")}
        description={t("open.help")}
        checked={isOpenToEveryone}
        disabled={change.isPending}
        onChange={(event) => change.mutate({ is_open_to_everyone: event.currentTarget.checked })}
      />
      <Switch
        label={t("visitors.label")}
        description={t("visitors.help")}
        checked={visitorsMayTry}
        disabled={change.isPending}
        onChange={(event) => change.mutate({ visitors_may_try: event.currentTarget.checked })}
      />
      <FormAlert error={change.error} />
    </Stack>
  );
}
