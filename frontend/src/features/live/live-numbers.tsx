import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";

import { Loading, QueryView } from "../../components/ui/states";
import { formatNumber, formatRate } from "../../lib/format";
import { type Live, useLiveQuery } from "../../lib/use-live";
import { LiveFigures } from "./live-figures";
import { LivePlots } from "./live-plots";
import { LiveStatus } from "./live-status";
import { liveKeys, type Numbers, roundNumbersQuery, taskNumbersQuery } from "./queries";

/** How often the numbers are asked for where they cannot be listened to. */
const POLL_MS = 15_000;

interface OnNumbers {
  /** Told of the numbers whenever they are new, so that what stands beside them agrees. */
  onNumbers?: (numbers: Numbers) => void;
}

/** A round's numbers, as they change. */
export function RoundLive({ roundId, onNumbers }: { roundId: string } & OnNumbers) {
  const live = useLiveQuery({
    address: `/api/v1/rounds/${roundId}/live`,
    event: "round",
    queryKey: liveKeys.round(roundId),
  });
  const query = useQuery({ ...roundNumbersQuery(roundId), ...pollingWhere(live) });
  return (
    <QueryView query={query} loading={<Loading lines={4} />}>
      {(numbers) => <Shown numbers={numbers} live={live} onNumbers={onNumbers} />}
    </QueryView>
  );
}

/** The numbers of a task's latest round, as they change; nothing before its first one. */
export function TaskLive({ slug, onNumbers }: { slug: string } & OnNumbers) {
  const live = useLiveQuery({
    address: `/api/v1/tasks/${encodeURIComponent(slug)}/live`,
    event: "task",
    queryKey: liveKeys.task(slug),
  });
  const query = useQuery({ ...taskNumbersQuery(slug), ...pollingWhere(live) });
  return (
    <QueryView query={query} loading={<Loading lines={4} />}>
      {({ round }) => round !== null && <Shown numbers={round} live={live} onNumbers={onNumbers} />}
    </QueryView>
  );
}

function pollingWhere({ state }: Live) {
  return { refetchInterval: state === "polling" ? POLL_MS : (false as const) };
}

interface ShownProps {
  numbers: Numbers;
  live: Live;
  onNumbers: ((numbers: Numbers) => void) | undefined;
}

function Shown({ numbers, live, onNumbers }: ShownProps) {
  const { t, i18n } = useTranslation("live");
  useEffect(() => onNumbers?.(numbers), [numbers, onNumbers]);
  const summary = t("summary", {
    attempts: formatNumber(numbers.model_error_rate.whole, i18n.language),
    rate: formatRate(numbers.model_error_rate, i18n.language, t("to")),
    waiting: formatNumber(numbers.backlog.waiting, i18n.language),
  });
  return (
    <>
      <LiveStatus live={live} summary={summary} />
      <LiveFigures numbers={numbers} />
      <LivePlots numbers={numbers} />
    </>
  );
}
