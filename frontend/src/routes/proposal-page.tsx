import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Loading, QueryView } from "../components/ui/states";
import { configCheckQuery } from "../features/config-editor/queries";
import { ProposalView } from "../features/proposals/proposal-view";
import { type Proposal, proposalQuery, useRevise } from "../features/proposals/queries";
import { sessionQuery } from "../features/session/queries";
import { formatDate } from "../lib/format";
import { ConfigPreview } from "./config-preview";
import { ProposalEditor, type ProposedText } from "./proposal-editor";

/** A proposal: read, revised and withdrawn by its author, decided by administrators. */
export function ProposalPage() {
  const { t, i18n } = useTranslation("proposals");
  const { proposalId } = useParams({ from: "/proposals/$proposalId" });
  const session = useQuery(sessionQuery());
  const found = useQuery(proposalQuery(proposalId));
  const proposal = found.data;
  const user = session.data?.user;
  return (
    <>
      <PageHeader
        title={proposal === undefined ? t("title") : t("page.title", { slug: proposal.slug })}
        subtitle={
          proposal &&
          t("page.facts", {
            status: t(`status.${proposal.status}`),
            revision: proposal.revision,
            author: proposal.proposed_by,
            when: formatDate(proposal.created_at, i18n.language),
          })
        }
        actions={
          <ButtonLink to="/proposals" variant="default">
            {t("toList")}
          </ButtonLink>
        }
      />
      <QueryView query={found} loading={<Loading lines={12} />}>
        {(one) => (
          <ProposalView
            proposal={one}
            isAuthor={user?.username === one.proposed_by}
            isAdmin={user?.is_admin === true}
            renderEditor={() => <Revision key={one.revision} proposal={one} />}
            renderPreview={() => <Preview config={one.config} />}
          />
        )}
      </QueryView>
    </>
  );
}

function Preview({ config }: { config: string }) {
  const { t } = useTranslation("proposals");
  const check = useQuery(configCheckQuery(null, config));
  return (
    <QueryView query={check} loading={<Loading lines={6} />}>
      {({ config: drawn }) =>
        drawn === null ? <Text>{t("page.noPreview")}</Text> : <ConfigPreview config={drawn} />
      }
    </QueryView>
  );
}

function Revision({ proposal }: { proposal: Proposal }) {
  const { t } = useTranslation("proposals");
  const { id, slug, reason, config, revision, proposed_by: author } = proposal;
  const revise = useRevise(id);
  const send = ({ startedFrom, ...text }: ProposedText) =>
    revise.mutateAsync({ ...text, revision: startedFrom ?? revision });
  return (
    <ProposalEditor
      user={author}
      place={`?proposal/${id}`}
      saved={{ config, slug, reason, revision, name: t("form.revision", { revision }) }}
      submit={t("form.revise", { revision: revision + 1 })}
      onSubmit={send}
      error={revise.error}
    />
  );
}
