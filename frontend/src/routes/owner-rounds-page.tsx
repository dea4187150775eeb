import "../lib/i18n/later/releases";

import { Button, Group, List, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { AnchorLink, ButtonLink } from "../components/ui/links";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { contextTagsQuery } from "../features/contexts/queries";
import { JobProgress } from "../features/jobs/job-progress";
import { modelListQuery } from "../features/models/queries";
import { ReleasePanel } from "../features/releases/release-panel";
import { type Round, roundListQuery } from "../features/rounds/queries";
import { RoundForm } from "../features/rounds/round-form";
import { RoundList } from "../features/rounds/round-list";
import { readConfig } from "../lib/task-config";
import { OwnerFrame } from "./owner-frame";

/** A task's rounds: draft, open, close, release. */
export function OwnerRoundsPage() {
  const { slug } = useParams({ from: "/tasks/$slug/owner" });
  return (
    <OwnerFrame slug={slug} section="rounds">
      {({ config }) => <Rounds slug={slug} hasContext={readConfig(config).context.length > 0} />}
    </OwnerFrame>
  );
}

function Rounds({ slug, hasContext }: { slug: string; hasContext: boolean }) {
  const { t } = useTranslation("rounds");
  const rounds = useQuery(roundListQuery(slug));
  const [isNew, setNew] = useState(false);
  return (
    <Stack gap="md">
      {isNew ? (
        <FormWithOptions slug={slug} onDone={() => setNew(false)} />
      ) : (
        <div>
          <Group gap="xs">
            <ButtonLink to="/tasks/$slug/owner/next-round" params={{ slug }}>
              {t("list.plan")}
            </ButtonLink>
            <Button variant="default" onClick={() => setNew(true)}>
              {t("list.new")}
            </Button>
          </Group>
        </div>
      )}
      <QueryView
        query={rounds}
        loading={<Loading lines={8} />}
        isEmpty={(found) => found.length === 0}
        empty={
          <Empty title={t("list.none")} action={<FirstSteps slug={slug} hasContext={hasContext} />}>
            {t("list.noneNext")}
          </Empty>
        }
      >
        {(found) => (
          <RoundList
            slug={slug}
            rounds={found}
            renderForm={(draft, onDone) => (
              <FormWithOptions slug={slug} draft={draft} onDone={onDone} />
            )}
            renderRelease={(round) => (
              <ReleasePanel
                slug={slug}
                round={round}
                renderJob={(jobId) => (
                  <JobProgress
                    jobId={jobId}
                    title={t("actions.release", { number: round.number })}
                  />
                )}
              />
            )}
          />
        )}
      </QueryView>
    </Stack>
  );
}

/** What a first round needs, in the order in which it is made. */
function FirstSteps({ slug, hasContext }: { slug: string; hasContext: boolean }) {
  const { t } = useTranslation("rounds");
  const steps = [
    { name: "contexts", to: "/tasks/$slug/owner/contexts" },
    { name: "datasets", to: "/tasks/$slug/owner/datasets" },
    { name: "training", to: "/tasks/$slug/owner/training" },
    { name: "models", to: "/tasks/$slug/owner/models" },
    { name: "members", to: "/tasks/$slug/owner/members" },
  ] as const;
  return (
    <List aria-label={t("first.title")}>
      {steps.slice(hasContext ? 0 : 1).map(({ name, to }) => (
        <List.Item key={name}>
          <AnchorLink to={to} params={{ slug }}>
            {t(`first.${name}`)}
          </AnchorLink>
        </List.Item>
      ))}
    </List>
  );
}

interface FormWithOptionsProps {
  slug: string;
  draft?: Round;
  onDone: () => void;
}

/** The form with the models, tags and rounds to choose from. */
function FormWithOptions({ slug, draft, onDone }: FormWithOptionsProps) {
  const { t } = useTranslation("rounds");
  const models = useQuery(modelListQuery(slug));
  const tags = useQuery(contextTagsQuery(slug));
  const rounds = useQuery(roundListQuery(slug));
  const earlier = (rounds.data ?? []).filter(
    ({ id, status }) => id !== draft?.id && status !== "draft",
  );
  return (
    <QueryView query={models} loading={<Loading lines={8} />}>
      {(found) => (
        <RoundForm
          slug={slug}
          {...(draft === undefined ? {} : { draft })}
          models={found
            // A record of answers given elsewhere cannot answer anew, and nobody fools a judge.
            .filter(
              ({ status, kind, purpose }) =>
                status === "ready" && kind !== "recorded" && purpose === "target",
            )
            .map(({ id, name, version }) => ({ value: id, label: `${name} v${version}` }))}
          tags={(tags.data ?? [])
            .filter(({ tag }) => tag !== "")
            .map(({ tag }) => ({ value: tag, label: tag }))}
          rounds={earlier.map(({ id, number }) => ({
            value: id,
            label: t("list.round", { number }),
          }))}
          onDone={onDone}
        />
      )}
    </QueryView>
  );
}
