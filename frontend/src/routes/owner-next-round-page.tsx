import "../lib/i18n/later/plans";

import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";

import { FormAlert } from "../components/ui/form-alert";
import { AnchorLink, ButtonLink } from "../components/ui/links";
import { Section } from "../components/ui/section";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { CandidateTable } from "../features/plans/candidate-table";
import { Cost } from "../features/plans/cost";
import { LineageGraph } from "../features/plans/lineage-graph";
import { PlanWarnings } from "../features/plans/plan-warnings";
import { nextRoundQuery, type Plan } from "../features/plans/queries";
import type { PlanSearch } from "../features/plans/search";
import { TagChoices } from "../features/plans/tag-choices";
import { ControlFields } from "../features/rounds/control-fields";
import { useCreateRound, useOpenRound } from "../features/rounds/queries";
import {
  BudgetFields,
  PolicyField,
  RoundTimes,
  ValidationFields,
} from "../features/rounds/round-form-fields";
import {
  bodyOf,
  ROUND_FIELDS,
  roundResolver,
  type RoundValues,
  valuesOf,
} from "../features/rounds/round-form-schema";
import { showFieldProblems } from "../lib/form-problems";
import { useIdempotencyKey } from "../lib/idempotency";
import { OwnerFrame } from "./owner-frame";

const ADDRESS = "/tasks/$slug/owner/next-round";

/** Where an owner looks at what speaks for which next round, and makes it. */
export function OwnerNextRoundPage() {
  const { slug } = useParams({ from: ADDRESS });
  return (
    <OwnerFrame slug={slug} section="rounds">
      {() => <NextRound slug={slug} />}
    </OwnerFrame>
  );
}

function NextRound({ slug }: { slug: string }) {
  const { t } = useTranslation("plans");
  const { tags, width } = useSearch({ from: ADDRESS });
  const plan = useQuery(
    nextRoundQuery(slug, {
      ...(tags === undefined ? {} : { tags }),
      ...(width === undefined ? {} : { width }),
    }),
  );
  return (
    <QueryView
      query={plan}
      loading={<Loading lines={12} />}
      isEmpty={({ candidates, lineage }) => candidates.length === 0 && lineage.rounds.length === 0}
      empty={
        <Empty
          title={t("empty.title")}
          action={
            <ButtonLink to="/tasks/$slug/owner/models" params={{ slug }} mt="xs">
              {t("empty.models")}
            </ButtonLink>
          }
        >
          {t("empty.body")}
        </Empty>
      }
    >
      {(found) => <PlanForm slug={slug} plan={found} />}
    </QueryView>
  );
}

/** The targets that the address names, else the suggestion. */
function startOf(plan: Plan, chosen: readonly string[] | undefined): RoundValues {
  const values = valuesOf(plan.settings);
  if (chosen === undefined) return values;
  const known = new Set(plan.candidates.map(({ model_id }) => model_id));
  const targets = chosen.filter((id) => known.has(id));
  return {
    ...values,
    target_model_ids: targets,
    parent_model_ids: targets,
    target_policy: targets.length > 1 ? "random" : "single",
  };
}

/** The plan warns of what it suggests: another target is not the last round's. */
function warningsOf({ warnings, suggestion }: Plan, targets: readonly string[]) {
  const suggested = suggestion?.target_model_ids ?? [];
  const isSuggested = targets.every((id) => suggested.includes(id));
  return isSuggested ? warnings : warnings.filter(({ code }) => code !== "same_target");
}

function PlanForm({ slug, plan }: { slug: string; plan: Plan }) {
  const { t } = useTranslation("plans");
  const search = useSearch({ from: ADDRESS });
  const navigate = useNavigate({ from: ADDRESS });
  const form = useForm<RoundValues>({
    resolver: roundResolver,
    defaultValues: startOf(plan, search.targets),
  });
  const values = useWatch({ control: form.control });
  const keep = (changed: PlanSearch) =>
    void navigate({
      search: (before) => ({ ...before, ...changed }),
      replace: true,
      resetScroll: false,
    });
  const chooseTargets = (targets: string[]) => {
    form.setValue("target_model_ids", targets);
    form.setValue("parent_model_ids", targets);
    const { target_policy: policy } = form.getValues();
    if ((policy === "single") === targets.length > 1) {
      form.setValue("target_policy", targets.length > 1 ? "random" : "single");
    }
    keep({ targets });
  };
  const everything = plan.contexts.tags.map(({ tag }) => tag);
  const targets = values.target_model_ids ?? [];
  const earlier = plan.candidates
    .filter(({ model_id, is_published }) => is_published && !targets.includes(model_id))
    .map(({ model_id, name, version }) => ({ value: model_id, label: `${name} v${version}` }));
  const choice = {
    targets,
    parentRounds: values.parent_round_ids ?? [],
    parentModels: values.parent_model_ids ?? [],
  };
  return (
    <form noValidate onSubmit={(event) => event.preventDefault()}>
      <Stack gap="xl">
        <Section title={t("step.warnings")}>
          <PlanWarnings warnings={warningsOf(plan, targets)} />
        </Section>
        <Section title={t("step.targets")}>
          <Stack gap="sm">
            <CandidateTable plan={plan} chosen={targets} onChoose={chooseTargets} />
            <PolicyField form={form} />
          </Stack>
        </Section>
        <Section title={t("step.lineage")}>
          <LineageGraph plan={plan} choice={choice} />
        </Section>
        <Section title={t("step.contexts")}>
          <TagChoices
            contexts={plan.contexts}
            // Nothing chosen is everything.
            onChoose={(tags) => keep({ tags: tags.length === 0 ? everything : tags })}
            upload={
              <AnchorLink to="/tasks/$slug/owner/contexts" params={{ slug }}>
                {t("contexts.upload")}
              </AnchorLink>
            }
          />
        </Section>
        <Section title={t("step.collection")}>
          <Stack gap="sm">
            <Cost
              budget={plan.budget}
              onWidth={(width) => keep({ width })}
              onTake={(attempts) => form.setValue("budget.examples", attempts)}
            />
            <BudgetFields form={form} />
            <RoundTimes form={form} />
            <ValidationFields form={form} />
            <ControlFields form={form} models={earlier} canHideModels={plan.can_hide_models} />
          </Stack>
        </Section>
        <Making slug={slug} plan={plan} form={form} />
      </Stack>
    </form>
  );
}

interface MakingProps {
  slug: string;
  plan: Plan;
  form: ReturnType<typeof useForm<RoundValues>>;
}

/** The last step: what was chosen becomes a draft, or a round that is open. */
function Making({ slug, plan, form }: MakingProps) {
  const { t } = useTranslation("plans");
  const navigate = useNavigate();
  const create = useCreateRound(slug);
  const open = useOpenRound();
  const { keyFor } = useIdempotencyKey();
  const [alert, setAlert] = useState<unknown>(null);
  // Until the page is left: a second click would open what is open already.
  const [isBusy, setBusy] = useState<"draft" | "open" | null>(null);
  const isCollecting = plan.lineage.rounds.some(({ status }) => status === "open");
  const make = (isOpened: boolean) =>
    form.handleSubmit(
      async (values) => {
        const { tags } = plan.contexts;
        const drawn = tags.filter(({ is_drawn }) => is_drawn).map(({ tag }) => tag);
        const body = bodyOf({ ...values, context_tags: drawn.length === tags.length ? [] : drawn });
        setAlert(null);
        try {
          const made = await create.mutateAsync({ body, key: keyFor(body) });
          if (isOpened) await open.mutateAsync(made.id);
          await navigate({ to: "/tasks/$slug/owner", params: { slug } });
        } catch (error) {
          if (!showFieldProblems(error, form.setError, ROUND_FIELDS)) setAlert(error);
          setBusy(null);
        }
      },
      () => setBusy(null),
    );
  const start = (isOpened: boolean) => {
    setBusy(isOpened ? "open" : "draft");
    void make(isOpened)();
  };
  return (
    <Section title={t("step.make", { number: plan.next_number })}>
      <Stack gap="sm">
        <FormAlert error={alert} />
        <Group gap="xs">
          <Button
            loading={isBusy === "draft"}
            disabled={isBusy !== null}
            onClick={() => start(false)}
          >
            {t("make.draft")}
          </Button>
          <Button
            variant="default"
            disabled={isCollecting || isBusy !== null}
            loading={isBusy === "open"}
            onClick={() => start(true)}
          >
            {t("make.open")}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
