import { Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { ApiTokens } from "./api-tokens";
import { DisplayNameForm } from "./display-name-form";
import { PasswordForm } from "./password-form";

/** What people change about themselves. */
export function OwnSettings({ displayName }: { displayName: string }) {
  const { t } = useTranslation("profile");
  return (
    <>
      <Stack component="section" gap="sm">
        <Title order={2} size="h3">
          {t("name.title")}
        </Title>
        <DisplayNameForm displayName={displayName} />
      </Stack>
      <Stack component="section" gap="sm">
        <Title order={2} size="h3">
          {t("password.title")}
        </Title>
        <PasswordForm />
      </Stack>
      <Stack component="section" gap="sm">
        <Title order={2} size="h3">
          {t("tokens.title")}
        </Title>
        <Text>{t("tokens.intro")}</Text>
        <ApiTokens />
      </Stack>
    </>
  );
}
