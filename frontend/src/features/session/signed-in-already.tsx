import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { Empty } from "../../components/ui/states";
import { useGoOn } from "./next-address";
import { useSignOut } from "./queries";

interface SignedInAlreadyProps {
  username: string;
  next?: string | undefined;
}

/** Somebody who is signed in asks to sign in: go on, or be somebody else. */
export function SignedInAlready({ username, next }: SignedInAlreadyProps) {
  const { t } = useTranslation("session");
  const goOn = useGoOn(next);
  const signOut = useSignOut();
  return (
    <Empty
      title={t("already.title", { name: username })}
      action={
        <Group gap="xs">
          <Button onClick={goOn}>{t("already.goOn")}</Button>
          <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
            {t("signOut")}
          </Button>
        </Group>
      }
    />
  );
}
