import { Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";

import { ConfirmButton } from "../../components/ui/confirm-button";
import { FormAlert } from "../../components/ui/form-alert";
import { AnchorLink } from "../../components/ui/links";
import { Empty, QueryView } from "../../components/ui/states";
import { formatDate } from "../../lib/format";
import classes from "./members.module.css";
import { memberListQuery, type Role, ROLES, useRemoveMember, useSetMember } from "./queries";

/** Who has a role in a task, with the way to change it. */
export function MemberList({ slug }: { slug: string }) {
  const { t, i18n } = useTranslation("members");
  const members = useQuery(memberListQuery(slug));
  const set = useSetMember(slug);
  const remove = useRemoveMember(slug);
  return (
    <Stack gap="sm">
      <QueryView
        query={members}
        isEmpty={(found) => found.length === 0}
        empty={<Empty title={t("none")}>{t("noneNext")}</Empty>}
      >
        {(found) => (
          <ul className={classes.list}>
            {found.map(({ username, role, added_at }) => (
              <li key={username} className={classes.row}>
                <div>
                  <AnchorLink to="/users/$username" params={{ username }}>
                    {username}
                  </AnchorLink>
                  <Text size="sm" c="dimmed">
                    {t("since", { date: formatDate(added_at, i18n.language) })}
                  </Text>
                </div>
                <Group gap="xs">
                  <RoleSelect
                    label={t("roleOf", { username })}
                    value={role}
                    onChange={(chosen) => set.mutate({ username, role: chosen })}
                  />
                  <ConfirmButton
                    consequence={t("removeWill", { username })}
                    onConfirm={() => remove.mutateAsync(username)}
                  >
                    {t("remove")}
                  </ConfirmButton>
                </Group>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <FormAlert error={set.error} />
      <AddMember slug={slug} />
    </Stack>
  );
}

function AddMember({ slug }: { slug: string }) {
  const { t } = useTranslation("members");
  const set = useSetMember(slug);
  const [username, setUsername] = useState("");
  const [role, setRole] = useState<Role>("annotator");
  const add = (event: SyntheticEvent) => {
    event.preventDefault();
    if (username.trim() === "") return;
    set.mutate({ username: username.trim(), role }, { onSuccess: () => setUsername("") });
  };
  return (
    <form onSubmit={add}>
      <Group gap="xs" align="flex-end">
        <TextInput
          label={t("add.username")}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          autoComplete="off"
        />
        <RoleSelect label={t("add.role")} value={role} onChange={setRole} isLabelShown />
        <Button type="submit" variant="default" loading={set.isPending}>
          {t("add.save")}
        </Button>
      </Group>
      <FormAlert error={set.error} />
    </form>
  );
}

interface RoleSelectProps {
  label: string;
  value: Role;
  onChange: (role: Role) => void;
  isLabelShown?: boolean;
}

export function RoleSelect({ label, value, onChange, isLabelShown = false }: RoleSelectProps) {
  const { t } = useTranslation("members");
  return (
    <NativeSelect
      {...(isLabelShown ? { label } : { "aria-label": label })}
      data={ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Role)}
    />
  );
}
