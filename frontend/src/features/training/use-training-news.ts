import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";

import { useLive } from "../../lib/use-live";
import { isGoingOn, type Training, trainingKeys, trainingListQuery } from "./queries";

const ASKED_MS = 1_500;
/** How often the others are asked for while one training is listened to. */
const OTHERS_MS = 10_000;

/** What an event of a training's stream says. */
interface TrainingNews {
  training: Training;
  log: string[];
}

/**
 * Keep a task's trainings and their logs new: the server tells of the one that is at work; the
 * others, or all of them where the server cannot be listened to, are asked for now and then.
 *
 * Returns the id of the training that the server tells of, null where it tells of none.
 */
export function useTrainingNews(slug: string, trainings: readonly Training[]): string | null {
  const client = useQueryClient();
  const goingOn = trainings.filter(isGoingOn);
  // The list begins with the newest.
  const atWork = goingOn.findLast(({ state }) => state === "running") ?? goingOn.at(-1);
  const keep = useCallback(
    (data: unknown) => {
      const { training, log } = data as TrainingNews;
      client.setQueryData(trainingKeys.log(slug, training.id), log);
      client.setQueryData<Training[]>(trainingKeys.list(slug), (before) =>
        before?.map((one) => (one.id === training.id ? training : one)),
      );
      // A model may have come of it, and the next training may have begun.
      if (!isGoingOn(training)) void client.invalidateQueries();
    },
    [client, slug],
  );
  const { state } = useLive({
    address:
      atWork === undefined
        ? null
        : `/api/v1/tasks/${encodeURIComponent(slug)}/trainings/${atWork.id}/live`,
    event: "training",
    onData: keep,
  });
  const heard = state === "live" ? (atWork?.id ?? null) : null;
  const asked = heard === null ? ASKED_MS : OTHERS_MS;
  const others = goingOn.length - (heard === null ? 0 : 1);
  useQuery({ ...trainingListQuery(slug), refetchInterval: others > 0 ? asked : false });
  return heard;
}
