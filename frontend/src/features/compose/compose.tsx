import { VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { Loading, QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { saidOf } from "../../lib/i18n/told";
import { readConfig } from "../../lib/task-config";
import { ComposeHeader } from "./compose-header";
import type { Desk } from "./desk";
import { NoContextLeft } from "./no-context-left";
import { assignmentQuery, saysNoContextLeft, useNextContext } from "./queries";
import { contextInWords } from "./values";
import { Workbench } from "./workbench";

interface ComposeProps {
  task: Schemas["TaskRead"];
  round: Schemas["RoundRead"];
  user: string;
}

/** Write examples for an open round: a context on the desk, and what is written about it. */
export function Compose({ task, round, user }: ComposeProps) {
  const { t } = useTranslation("compose");
  const desk: Desk = { user, task: task.slug, round: round.id };
  const config = readConfig(task.config);
  const assignment = useQuery(assignmentQuery(desk));
  const next = useNextContext(desk);
  const [passedOver, setPassedOver] = useState<readonly string[]>([]);
  const current = assignment.data?.context.id;
  const change = (isSkipped: boolean) => {
    if (next.isPending || current === undefined) return;
    next.mutate([...passedOver, current], {
      onSuccess: () => isSkipped && setPassedOver([...passedOver, current]),
    });
  };
  const lookAgain = () => {
    setPassedOver([]);
    next.mutate([]);
  };
  const { error } = assignment;
  return (
    <>
      <ComposeHeader task={task} round={round} config={config} />
      <VisuallyHidden role="status">
        {next.data !== undefined &&
          t("announce.context", { text: contextInWords(next.data.context.content, config) })}
      </VisuallyHidden>
      {assignment.data === undefined && saysNoContextLeft(error) ? (
        <NoContextLeft
          slug={task.slug}
          sentence={
            error.facts.has_any === false
              ? t("none.noContexts")
              : saidOf(error.detail, { code: error.code, values: error.facts })
          }
          onRetry={() => void assignment.refetch()}
        />
      ) : (
        <QueryView query={assignment} loading={<Loading lines={8} />}>
          {(held) => (
            <Workbench
              key={held.context.id}
              assignment={held}
              round={round}
              desk={desk}
              config={config}
              isReplacement={next.data !== undefined}
              change={{
                onNew: () => change(false),
                onSkip: () => change(true),
                onLookAgain: passedOver.length > 0 ? lookAgain : null,
                isPending: next.isPending,
                error: next.error,
              }}
            />
          )}
        </QueryView>
      )}
    </>
  );
}
