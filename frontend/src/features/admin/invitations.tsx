import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { z } from "zod";

import { CodeBlock } from "../../components/ui/code-block";
import { ConfirmButton } from "../../components/ui/confirm-button";
import { type Column, DataTable } from "../../components/ui/data-table";
import { FormAlert } from "../../components/ui/form-alert";
import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { showFieldProblems } from "../../lib/form-problems";
import { formatDate } from "../../lib/format";
import classes from "./admin.module.css";
import { invitationsQuery, useInvite, useRevokeInvitation } from "./queries";

type Invitation = Schemas["InvitationRead"];
const LONGEST_NOTE = 200;

/** Links that make one account each. */
export function Invitations() {
  const { t } = useTranslation("admin");
  const invitations = useQuery(invitationsQuery());
  const [link, setLink] = useState<string | null>(null);
  return (
    <Stack gap="md">
      <QueryView
        query={invitations}
        isEmpty={(list) => list.length === 0}
        empty={<Text c="dimmed">{t("invitations.empty")}</Text>}
      >
        {(list) => <InvitationTable invitations={list} />}
      </QueryView>
      {link !== null && (
        <Stack gap="xs" role="status">
          <Text fw={600}>{t("invitations.once")}</Text>
          <CodeBlock code={link} label={t("invitations.link")} />
        </Stack>
      )}
      <InviteForm onMade={setLink} />
    </Stack>
  );
}

function InviteForm({ onMade }: { onMade: (link: string) => void }) {
  const { t } = useTranslation("admin");
  const invite = useInvite();
  const { register, handleSubmit, formState, setError, reset } = useForm({
    resolver: zodResolver(
      z.object({
        note: z
          .string()
          .trim()
          .max(LONGEST_NOTE, t("invitations.noteTooLong", { count: LONGEST_NOTE })),
      }),
    ),
    defaultValues: { note: "" },
  });
  const submit = handleSubmit(({ note }) =>
    invite.mutate(note, {
      onSuccess: ({ path, public_url }) => {
        onMade(public_url ?? globalThis.location.origin + path);
        reset();
      },
      onError: (error) => {
        if (showFieldProblems(error, setError, ["note"])) invite.reset();
      },
    }),
  );
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Stack gap="sm" align="flex-start">
        <TextInput
          w="100%"
          label={t("invitations.note")}
          description={t("invitations.noteHelp")}
          error={formState.errors.note?.message}
          {...register("note")}
        />
        <FormAlert error={invite.error} />
        <Button type="submit" variant="default" loading={invite.isPending}>
          {t("invitations.create")}
        </Button>
      </Stack>
    </form>
  );
}

function InvitationTable({ invitations }: { invitations: readonly Invitation[] }) {
  const { t, i18n } = useTranslation("admin");
  const revoke = useRevokeInvitation();
  const nameOf = ({ note, created_at: made }: Invitation) =>
    note === "" ? formatDate(made, i18n.language) : note;
  const columns: Column<Invitation>[] = [
    { key: "note", header: t("invitations.for"), cell: nameOf },
    {
      key: "made",
      header: t("invitations.made"),
      cell: (invitation) => formatDate(invitation.created_at, i18n.language),
    },
    {
      key: "state",
      header: t("invitations.state"),
      cell: ({ accepted_by: by, expires_at: until }) =>
        by === null
          ? t("invitations.open", { date: formatDate(until, i18n.language) })
          : t("invitations.accepted", { name: by }),
    },
    {
      key: "revoke",
      header: t("invitations.change"),
      cell: (invitation) =>
        invitation.accepted_by === null && (
          <ConfirmButton
            size="compact-sm"
            consequence={t("invitations.revokeConsequence")}
            onConfirm={() => revoke.mutateAsync(invitation.id)}
          >
            {t("invitations.revoke", { name: nameOf(invitation) })}
          </ConfirmButton>
        ),
    },
  ];
  return (
    <DataTable
      caption={t("invitations.caption")}
      columns={columns}
      rows={invitations}
      rowKey={({ id }) => id}
    />
  );
}
