import { Anchor, NativeSelect, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../../components/ui/links";
import { MoreButton } from "../../components/ui/more-button";
import { Empty, Loading, QueryView } from "../../components/ui/states";
import { formatDate } from "../../lib/format";
import classes from "./proposals.module.css";
import { proposalsQuery, type ProposalSummary } from "./queries";
import { type Status, STATUSES } from "./status-filter";

interface ProposalListProps {
  status: Status | null;
  onStatus: (status: Status | null) => void;
}

/** Proposals, newest first, all or those that stand somewhere. */
export function ProposalList({ status, onStatus }: ProposalListProps) {
  const { t } = useTranslation("proposals");
  const list = useInfiniteQuery(proposalsQuery(status));
  const found = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const empty =
    status === null ? (
      <Empty title={t("list.empty")} action={<ButtonLink to="/propose">{t("propose")}</ButtonLink>}>
        {t("list.emptyNext")}
      </Empty>
    ) : (
      <Empty title={t("list.noneChosen")} />
    );
  return (
    <Stack gap="md">
      <NativeSelect
        label={t("list.status")}
        maw="16rem"
        value={status ?? ""}
        data={[
          { value: "", label: t("list.any") },
          ...STATUSES.map((one) => ({ value: one, label: t(`status.${one}`) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onStatus(STATUSES.find((one) => one === value) ?? null)
        }
      />
      <QueryView
        query={list}
        loading={<Loading lines={6} />}
        isEmpty={() => found.length === 0}
        empty={empty}
      >
        {() => (
          <div>
            <ul className={classes.list} aria-label={t("list.label")}>
              {found.map((proposal) => (
                <Row key={proposal.id} proposal={proposal} />
              ))}
            </ul>
            <MoreButton list={list} mt="sm">
              {t("list.more")}
            </MoreButton>
          </div>
        )}
      </QueryView>
    </Stack>
  );
}

function Row({ proposal }: { proposal: ProposalSummary }) {
  const { t, i18n } = useTranslation("proposals");
  const { id, slug, status, revision, reason, proposed_by: author, created_at: at } = proposal;
  return (
    <li className={classes.row}>
      <Anchor component={Link} to={`/proposals/${id}`} fw={600}>
        {slug}
      </Anchor>
      <Text size="sm" c="dimmed">
        {t("list.facts", {
          status: t(`status.${status}`),
          revision,
          author,
          when: formatDate(at, i18n.language),
        })}
      </Text>
      <Text lineClamp={2}>{reason}</Text>
    </li>
  );
}
