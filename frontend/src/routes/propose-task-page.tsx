import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { PageHeader } from "../components/ui/page-header";
import { Empty, Loading, QueryView } from "../components/ui/states";
import template from "../features/config-editor/template.yaml?raw";
import { usePropose } from "../features/proposals/queries";
import { sessionQuery } from "../features/session/queries";
import { useIdempotencyKey } from "../lib/idempotency";
import { ProposalEditor, type ProposedText } from "./proposal-editor";

/** Where whoever is signed in proposes a task. */
export function ProposeTaskPage() {
  const { t } = useTranslation("proposals");
  const session = useQuery(sessionQuery());
  return (
    <>
      <PageHeader title={t("form.title")} subtitle={t("form.subtitle")} />
      <QueryView
        query={session}
        loading={<Loading lines={12} />}
        isEmpty={({ user }) => user === null}
        empty={
          <Empty
            title={t("visitor")}
            action={
              <ButtonLink to="/sign-in" search={{ next: "/propose" }}>
                {t("signIn")}
              </ButtonLink>
            }
          />
        }
      >
        {({ user }) => <NewProposal user={user?.username ?? ""} />}
      </QueryView>
    </>
  );
}

function NewProposal({ user }: { user: string }) {
  const { t } = useTranslation("proposals");
  const navigate = useNavigate();
  const propose = usePropose();
  const { keyFor } = useIdempotencyKey();
  const send = async ({ slug, reason, config }: ProposedText) => {
    const body = { slug, reason: reason.trim(), config };
    const { id } = await propose.mutateAsync({ ...body, key: keyFor(body) });
    await navigate({
      to: "/proposals/$proposalId",
      params: { proposalId: id },
      ignoreBlocker: true,
    });
  };
  return (
    <ProposalEditor
      user={user}
      // No task can be called so, and unsent texts are kept by task.
      place="?proposal"
      saved={{ config: template, slug: "", reason: "", revision: null, name: t("form.example") }}
      submit={t("form.send")}
      onSubmit={send}
      error={propose.error}
    />
  );
}
