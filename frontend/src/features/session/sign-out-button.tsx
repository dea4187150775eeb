import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../../components/ui/form-alert";
import { useSignOut } from "./queries";

/** Signs out in this browser. */
export function SignOutButton() {
  const { t } = useTranslation("session");
  const signOut = useSignOut();
  return (
    <>
      <FormAlert error={signOut.error} />
      <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        {t("signOut")}
      </Button>
    </>
  );
}
