import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { CodeBlock } from "../../components/ui/code-block";
import { ConfirmButton } from "../../components/ui/confirm-button";
import { type Column, DataTable } from "../../components/ui/data-table";
import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { formatDate } from "../../lib/format";
import { tokensQuery, useRevokeToken } from "./queries";
import { TokenForm } from "./token-form";

type Token = Schemas["ApiTokenRead"];

/** The tokens of one's own programs. */
export function ApiTokens() {
  const { t } = useTranslation("profile");
  const tokens = useQuery(tokensQuery());
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Stack gap="md">
      <QueryView
        query={tokens}
        isEmpty={(list) => list.length === 0}
        empty={<Text c="dimmed">{t("tokens.empty")}</Text>}
      >
        {(list) => <TokenTable tokens={list} />}
      </QueryView>
      {secret !== null && (
        <Stack gap="xs" role="status">
          <Text fw={600}>{t("tokens.secretOnce")}</Text>
          <CodeBlock code={secret} label={t("tokens.secret")} />
        </Stack>
      )}
      <TokenForm onCreated={setSecret} />
    </Stack>
  );
}

function TokenTable({ tokens }: { tokens: readonly Token[] }) {
  const { t, i18n } = useTranslation("profile");
  const revoke = useRevokeToken();
  const date = (moment: string | null, otherwise: string) =>
    moment === null ? otherwise : formatDate(moment, i18n.language);
  const columns: Column<Token>[] = [
    { key: "name", header: t("tokens.name"), cell: ({ name }) => name },
    { key: "scope", header: t("tokens.scope"), cell: ({ scope }) => t(`tokens.scopes.${scope}`) },
    {
      key: "used",
      header: t("tokens.used"),
      cell: (token) => date(token.last_used_at, t("tokens.never")),
    },
    {
      key: "expires",
      header: t("tokens.expires"),
      cell: (token) => date(token.expires_at, t("tokens.untilRevoked")),
    },
    {
      key: "revoke",
      header: t("tokens.change"),
      cell: (token) => (
        <ConfirmButton
          size="compact-sm"
          consequence={t("tokens.revokeConsequence")}
          onConfirm={() => revoke.mutateAsync(token.id)}
        >
          {t("tokens.revoke", { name: token.name })}
        </ConfirmButton>
      ),
    },
  ];
  return (
    <DataTable
      caption={t("tokens.caption")}
      columns={columns}
      rows={tokens}
      rowKey={({ id }) => id}
    />
  );
}
