import { Stack, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { useOpenToEveryone } from "./queries";

interface ParticipationProps {
  slug: string;
  isOpenToEveryone: boolean;
}

/** Whether everybody who is signed in can take part, or members alone. */
export function Participation({ slug, isOpenToEveryone }: ParticipationProps) {
  const { t } = useTranslation("members");
  const change = useOpenToEveryone(slug);
  return (
    <Stack gap="xs">
      <Switch
        label={t("open.label")}
        description={t("open.help")}
        checked={isOpenToEveryone}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.currentTarget.checked)}
      />
      <FormAlert error={change.error} />
    </Stack>
  );
}
