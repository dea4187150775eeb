import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { CodeBlock } from "../../components/ui/code-block";
import { ConfirmButton } from "../../components/ui/confirm-button";
import { ButtonLink } from "../../components/ui/links";
import { Section } from "../../components/ui/section";
import { formatDateTime } from "../../lib/format";
import { DecisionForm } from "./decision-form";
import classes from "./proposals.module.css";
import { type Proposal, useWithdraw } from "./queries";

interface ProposalViewProps {
  proposal: Proposal;
  isAuthor: boolean;
  isAdmin: boolean;
  /** Where its author writes another revision. */
  renderEditor: () => ReactNode;
  /** The pages that the config makes. */
  renderPreview: () => ReactNode;
}

/** A proposal, what was said about it, and what the reader may do with it. */
export function ProposalView(props: ProposalViewProps) {
  const { proposal, isAuthor, isAdmin, renderEditor, renderPreview } = props;
  const { t } = useTranslation("proposals");
  const { status, config, reason, task_slug: taskSlug } = proposal;
  const isWaiting = status === "open" || status === "changes_asked";
  const isRevisable = isAuthor && (isWaiting || status === "withdrawn");
  return (
    <Stack gap="xl">
      {taskSlug !== null && isAuthor && (
        <div>
          <ButtonLink to="/tasks/$slug/owner/config" params={{ slug: taskSlug }}>
            {t("page.openTask")}
          </ButtonLink>
        </div>
      )}
      <Section title={t("page.reason")}>
        <Text className={classes.said}>{reason}</Text>
      </Section>
      <Section title={t("page.notes")}>
        <Notes proposal={proposal} />
      </Section>
      {isAdmin && isWaiting && (
        <Section title={t("decide.title")}>
          <DecisionForm key={proposal.revision} proposal={proposal} />
        </Section>
      )}
      {isRevisable ? (
        <Section title={t("page.revise")}>
          <Text c="dimmed" mb="sm">
            {t("page.reviseNext")}
          </Text>
          {renderEditor()}
        </Section>
      ) : (
        <>
          <Section title={t("page.config")}>
            <CodeBlock code={config} label={t("page.configLabel")} />
          </Section>
          <Section title={t("page.preview")}>
            <div className={classes.preview}>{renderPreview()}</div>
          </Section>
        </>
      )}
      {isAuthor && isWaiting && <Withdraw id={proposal.id} />}
    </Stack>
  );
}

function Notes({ proposal: { notes } }: { proposal: Proposal }) {
  const { t, i18n } = useTranslation("proposals");
  if (notes.length === 0) return <Text c="dimmed">{t("page.noNotes")}</Text>;
  return (
    <ol className={classes.list} aria-label={t("page.notes")}>
      {notes.map((note) => (
        <li key={`${note.created_at} ${note.status}`} className={classes.row}>
          {note.status !== null && <Text fw={600}>{t(`noted.${note.status}`)}</Text>}
          <Text size="sm" c="dimmed">
            {t("page.noteHead", {
              by: note.written_by,
              revision: note.revision,
              when: formatDateTime(note.created_at, i18n.language),
            })}
          </Text>
          {note.text !== "" && <Text className={classes.said}>{note.text}</Text>}
        </li>
      ))}
    </ol>
  );
}

function Withdraw({ id }: { id: string }) {
  const { t } = useTranslation("proposals");
  const withdraw = useWithdraw(id);
  return (
    <div>
      <ConfirmButton consequence={t("page.withdrawWill")} onConfirm={() => withdraw.mutateAsync()}>
        {t("page.withdraw")}
      </ConfirmButton>
    </div>
  );
}
