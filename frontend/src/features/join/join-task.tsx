import { Button, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { ButtonLink } from "../../components/ui/links";
import { Empty } from "../../components/ui/states";
import { isWorthRetrying } from "../../lib/api-client";
import { useJoin } from "./queries";

interface JoinTaskProps {
  secret: string;
  username: string;
}

/** Accept a link into a task, then see which task and role it gave. */
export function JoinTask({ secret, username }: JoinTaskProps) {
  const { t } = useTranslation("join");
  const join = useJoin(secret);
  if (join.data !== undefined) {
    const { task_slug: slug, role } = join.data;
    return (
      <div role="status">
        <Empty
          title={t("joined", { task: slug, role: t(`role.${role}`) })}
          action={
            <ButtonLink to="/tasks/$slug" params={{ slug }}>
              {t("toTask")}
            </ButtonLink>
          }
        >
          {t(`may.${role}`)}
        </Empty>
      </div>
    );
  }
  if (join.error !== null && !isWorthRetrying(join.error)) {
    return (
      <Empty title={t("refused")} action={<ButtonLink to="/">{t("toTasks")}</ButtonLink>}>
        <FormAlert error={join.error} />
      </Empty>
    );
  }
  return (
    <Stack gap="sm" align="flex-start">
      <Text>{t("invite", { name: username })}</Text>
      <FormAlert error={join.error} />
      <Button loading={join.isPending} onClick={() => join.mutate()}>
        {t("accept")}
      </Button>
    </Stack>
  );
}
