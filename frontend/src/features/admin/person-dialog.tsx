import { Button, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { CodeBlock } from "../../components/ui/code-block";
import { FormAlert } from "../../components/ui/form-alert";
import type { Schemas } from "../../lib/api-client";
import { formatDateTime } from "../../lib/format";
import classes from "./admin.module.css";
import { useChangeAccount, useMakePasswordLink } from "./queries";

interface PersonDialogProps {
  person: Schemas["UserRead"];
  onClose: () => void;
}

/** What an administrator can do about one person; each button under what it will do. */
export function PersonDialog({ person, onClose }: PersonDialogProps) {
  const { t } = useTranslation("admin");
  const { t: tUi } = useTranslation();
  const { username: name, is_admin: isAdmin } = person;
  const change = useChangeAccount(name);
  const isDisabled = person.disabled_at !== null;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("person.title", { name })}
      closeButtonProps={{ "aria-label": tUi("close") }}
    >
      <Stack gap="md">
        <FormAlert error={change.error} />
        <PasswordLink username={name} />
        <Stack gap="xs" align="flex-start" className={classes.deed}>
          <Text>{t(isAdmin ? "person.unmakeAdminWhat" : "person.makeAdminWhat")}</Text>
          <Button
            variant="default"
            disabled={change.isPending}
            onClick={() => change.mutate({ is_admin: !isAdmin })}
          >
            {t(isAdmin ? "person.unmakeAdmin" : "person.makeAdmin", { name })}
          </Button>
        </Stack>
        <Stack gap="xs" align="flex-start" className={classes.deed}>
          <Text>{t(isDisabled ? "person.enableWhat" : "person.disableWhat")}</Text>
          <Button
            variant="default"
            disabled={change.isPending}
            onClick={() => change.mutate({ is_disabled: !isDisabled })}
          >
            {t(isDisabled ? "person.enable" : "person.disable", { name })}
          </Button>
        </Stack>
      </Stack>
    </Modal>
  );
}

function PasswordLink({ username }: { username: string }) {
  const { t, i18n } = useTranslation("admin");
  const make = useMakePasswordLink(username);
  return (
    <Stack gap="xs" align="flex-start">
      <Text>{t("person.passwordWhat")}</Text>
      {make.data === undefined ? (
        <Button variant="default" loading={make.isPending} onClick={() => make.mutate()}>
          {t("person.password")}
        </Button>
      ) : (
        <Stack gap="xs" w="100%" role="status">
          <Text fw={600}>
            {t("person.passwordOnce", {
              until: formatDateTime(make.data.expires_at, i18n.language),
            })}
          </Text>
          <CodeBlock
            code={make.data.public_url ?? globalThis.location.origin + make.data.path}
            label={t("person.passwordLink", { name: username })}
          />
        </Stack>
      )}
      <FormAlert error={make.error} />
    </Stack>
  );
}
