import "../lib/i18n/later/scales";

import { Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { ButtonLink } from "../components/ui/links";
import { Empty, Loading, QueryView } from "../components/ui/states";
import { contextTagsQuery } from "../features/contexts/queries";
import { ExampleBrowser } from "../features/examples/example-browser";
import { FilterBar } from "../features/examples/filter-bar";
import { filtersOf, withoutEmpty } from "../features/examples/filters";
import {
  annotatorsQuery,
  chooseRound,
  errorRateQuery,
  exportAddress,
  type Round,
  roundListQuery,
} from "../features/rounds/queries";
import { SuspectedList } from "../features/scales/suspected-list";
import { sessionQuery } from "../features/session/queries";
import type { Schemas } from "../lib/api-client";
import { readConfig } from "../lib/task-config";
import { OwnerFrame } from "./owner-frame";

const route = getRouteApi("/tasks/$slug/owner/examples");
type Task = Schemas["TaskRead"];

/** A round's examples with all votes, for owners and experts. */
export function OwnerExamplesPage() {
  const { slug } = route.useParams();
  return (
    <OwnerFrame slug={slug} section="examples">
      {(task) => <RoundExamples task={task} />}
    </OwnerFrame>
  );
}

function RoundExamples({ task }: { task: Task }) {
  const { t } = useTranslation("owner");
  const { round: number } = route.useSearch();
  const rounds = useQuery(roundListQuery(task.slug));
  return (
    <QueryView query={rounds} loading={<Loading lines={8} />}>
      {(found) => {
        const round = chooseRound(found, number);
        if (round !== null) return <Browse task={task} rounds={found} round={round} />;
        return (
          <Empty
            title={number === undefined ? t("noRounds.title") : t("noSuchRound", { number })}
            {...(task.my_role === "owner" && {
              action: (
                <ButtonLink to="/tasks/$slug/owner" params={{ slug: task.slug }} mt="xs">
                  {t("noRounds.rounds")}
                </ButtonLink>
              ),
            })}
          >
            {t("noRounds.body")}
          </Empty>
        );
      }}
    </QueryView>
  );
}

interface BrowseProps {
  task: Task;
  rounds: readonly Round[];
  round: Round;
}

function Browse({ task, rounds, round }: BrowseProps) {
  const { t } = useTranslation("rounds");
  const filters = filtersOf(route.useSearch());
  const navigate = route.useNavigate();
  const session = useQuery(sessionQuery());
  const rates = useQuery(errorRateQuery(round.id));
  const annotators = useQuery(annotatorsQuery(round.id));
  const tags = useQuery(contextTagsQuery(task.slug));
  return (
    <Stack gap="md">
      <FilterBar
        filters={filters}
        rounds={rounds.filter(({ status }) => status !== "draft").map(({ number }) => number)}
        round={round.number}
        tags={(tags.data ?? []).map(({ tag }) => tag).filter((tag) => tag !== "")}
        annotators={(annotators.data?.rows ?? []).map(({ username }) => username)}
        disputed={rates.data?.disputed ?? null}
        onChange={(change) =>
          void navigate({
            search: (before) => withoutEmpty({ ...before, ...change }),
            replace: true,
          })
        }
      />
      {task.my_role === "owner" && (
        <div>
          <Button component="a" href={exportAddress(round.id)} download variant="default">
            {t("actions.export")}
          </Button>
        </div>
      )}
      {round.status === "released" && (
        <SuspectedList
          roundId={round.id}
          config={readConfig(task.config)}
          reader={session.data?.user?.username ?? null}
        />
      )}
      <ExampleBrowser
        key={round.id}
        roundId={round.id}
        isReleased={round.status === "released"}
        filters={filters}
        config={readConfig(task.config)}
        onClear={() => void navigate({ search: { round: round.number }, replace: true })}
      />
    </Stack>
  );
}
