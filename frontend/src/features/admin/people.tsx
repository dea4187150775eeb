import { Button, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { AnchorLink } from "../../components/ui/links";
import { MoreButton } from "../../components/ui/more-button";
import { SearchField } from "../../components/ui/search-field";
import { Empty, QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { formatDate } from "../../lib/format";
import { PersonDialog } from "./person-dialog";
import { peopleQuery } from "./queries";

type Person = Schemas["UserRead"];

interface PeopleProps {
  search: string;
  onSearch: (search: string) => void;
}

/** Everybody with an account, found by name, each with what an administrator can change. */
export function People({ search, onSearch }: PeopleProps) {
  const { t } = useTranslation("admin");
  const people = useInfiniteQuery(peopleQuery(search));
  const [changed, setChanged] = useState<string | null>(null);
  const found = people.data?.pages.flatMap(({ items }) => items) ?? [];
  const person = found.find(({ username }) => username === changed);
  return (
    <Stack gap="sm" align="stretch">
      <SearchField label={t("people.search")} search={search} onSearch={onSearch} maw="26rem" />
      <QueryView
        query={people}
        isEmpty={() => found.length === 0}
        empty={<Empty title={t("people.empty", { search })}>{t("people.emptyNext")}</Empty>}
      >
        {() => (
          <>
            <PeopleTable people={found} onChange={setChanged} />
            <MoreButton list={people}>{t("people.more")}</MoreButton>
          </>
        )}
      </QueryView>
      {person !== undefined && <PersonDialog person={person} onClose={() => setChanged(null)} />}
    </Stack>
  );
}

interface PeopleTableProps {
  people: readonly Person[];
  onChange: (username: string) => void;
}

function PeopleTable({ people, onChange }: PeopleTableProps) {
  const { t, i18n } = useTranslation("admin");
  const columns: Column<Person>[] = [
    {
      key: "username",
      header: t("people.username"),
      cell: ({ username }) => (
        <AnchorLink to="/users/$username" params={{ username }}>
          {username}
        </AnchorLink>
      ),
    },
    { key: "name", header: t("people.name"), cell: (person) => person.display_name },
    {
      key: "since",
      header: t("people.since"),
      cell: (person) => formatDate(person.created_at, i18n.language),
    },
    {
      key: "status",
      header: t("people.status"),
      cell: (person) => (
        <Text span inherit c={person.disabled_at === null ? "var(--db-text)" : "var(--db-bad)"}>
          {t(statusOf(person))}
        </Text>
      ),
    },
    {
      key: "change",
      header: t("people.changeHeader"),
      cell: ({ username }) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t("people.change", { name: username })}
          onClick={() => onChange(username)}
        >
          {t("people.changeShort")}
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      caption={t("people.caption")}
      columns={columns}
      rows={people}
      rowKey={({ id }) => id}
    />
  );
}

function statusOf(person: Person) {
  if (person.disabled_at !== null) return "people.disabled";
  return person.is_admin ? "people.admin" : "people.member";
}
