import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";

import { CodeBlock } from "../../components/ui/code-block";
import { ConfirmButton } from "../../components/ui/confirm-button";
import { FormAlert } from "../../components/ui/form-alert";
import { Empty, QueryView } from "../../components/ui/states";
import { formatDate } from "../../lib/format";
import { RoleSelect } from "./member-list";
import classes from "./members.module.css";
import { joinLinksQuery, type Role, useCreateJoinLink, useRevokeJoinLink } from "./queries";

/** Links that give whoever opens them a role; a new one is shown this once. */
export function JoinLinks({ slug }: { slug: string }) {
  const { t, i18n } = useTranslation("members");
  const links = useQuery(joinLinksQuery(slug));
  const revoke = useRevokeJoinLink(slug);
  return (
    <Stack gap="sm">
      <Text>{t("links.help")}</Text>
      <NewLink slug={slug} />
      <QueryView
        query={links}
        isEmpty={(found) => found.length === 0}
        empty={<Empty title={t("links.none")} />}
      >
        {(found) => (
          <ul className={classes.list}>
            {found.map((link) => (
              <li key={link.id} className={classes.row}>
                <Text>
                  {[
                    ...(link.note === "" ? [] : [link.note]),
                    t(`role.${link.role}`),
                    t("links.uses", { count: link.uses }),
                    t("links.until", { date: formatDate(link.expires_at, i18n.language) }),
                  ].join(" · ")}
                </Text>
                <ConfirmButton
                  size="compact-sm"
                  consequence={t("links.revokeWill")}
                  onConfirm={() => revoke.mutateAsync(link.id)}
                >
                  {t("links.revoke")}
                </ConfirmButton>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Stack>
  );
}

function NewLink({ slug }: { slug: string }) {
  const { t } = useTranslation("members");
  const create = useCreateJoinLink(slug);
  const [role, setRole] = useState<Role>("annotator");
  const [days, setDays] = useState("14");
  const [note, setNote] = useState("");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    create.mutate({ role, expires_in_days: Number(days), note });
  };
  const address =
    create.data === undefined
      ? null
      : (create.data.public_url ?? `${globalThis.location.origin}${create.data.path}`);
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group gap="xs" align="flex-end">
          <RoleSelect label={t("links.role")} value={role} onChange={setRole} isLabelShown />
          <TextInput
            type="number"
            min={1}
            max={365}
            required
            label={t("links.days")}
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
          />
          <TextInput
            maxLength={200}
            label={t("links.note")}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" loading={create.isPending}>
            {t("links.create")}
          </Button>
        </Group>
        <FormAlert error={create.error} />
        {address !== null && (
          <div role="status">
            <Text fw={600}>{t("links.once")}</Text>
            <CodeBlock code={address} label={t("links.new")} />
          </div>
        )}
      </Stack>
    </form>
  );
}
