import { useDocumentVisibility } from "@mantine/hooks";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";

/** Whether news arrive by themselves, are missed at the moment, or have to be asked for. */
export type LiveState = "connecting" | "live" | "retrying" | "polling" | "over";

export interface Live {
  state: LiveState;
  /** When the server last said anything, as a moment in milliseconds; null before that. */
  heardAt: number | null;
}

/** The server says something every fifteen seconds; after three times that the line is dead. */
const SILENCE_MS = 45_000;
/** So many failures in a row, and the page asks instead of listening. */
const MOST_FAILURES = 3;
/** After this long it tries to listen again. */
const LISTEN_AGAIN_MS = 60_000;
const CHECK_MS = 5_000;
/** A browser holds few connections to one server, and the page needs some to ask by. */
const MOST_LINES = 3;
/** The lines that are open in this window: it has one set of connections, whatever it shows. */
const lines = new Set<object>();

interface LiveOptions {
  /** Where the events come from; null listens to nothing. */
  address: string | null;
  /** What they are called. */
  event: string;
  /** Told what each event says; the same function as long as what is listened to is the same. */
  onData: (data: unknown) => void;
}

/**
 * Hear what the server tells for as long as the page is looked at.
 * A hidden tab hears nothing, so that it holds no connection; it catches up when it is shown.
 */
export function useLive({ address, event, onData }: LiveOptions): Live {
  const isShown = useDocumentVisibility() !== "hidden";
  const canListen = typeof EventSource !== "undefined";
  const [live, setLive] = useState<Live>({ state: "connecting", heardAt: null });
  useEffect(() => {
    if (address === null || !isShown || !canListen) return undefined;
    return listen({ address, event, onData, onLive: setLive });
  }, [address, event, onData, isShown, canListen]);
  return canListen ? live : { state: "polling", heardAt: live.heardAt };
}

/** Keep a query's data as new as the server's events, each of which is all of it. */
export function useLiveQuery({
  address,
  event,
  queryKey,
}: Omit<LiveOptions, "onData"> & { queryKey: QueryKey }): Live {
  const client = useQueryClient();
  const key = JSON.stringify(queryKey);
  const keep = useCallback(
    (data: unknown) => {
      client.setQueryData(JSON.parse(key) as QueryKey, data);
    },
    [client, key],
  );
  return useLive({ address, event, onData: keep });
}

interface Listening {
  address: string;
  event: string;
  onData: (data: unknown) => void;
  onLive: (change: (before: Live) => Live) => void;
}

/** Listen until told to stop; lost lines are made again, and given up after a few failures. */
function listen({ address, event, onData, onLive }: Listening): () => void {
  let source: EventSource | null = null;
  let failures = 0;
  let heardAt = Date.now();
  let again: ReturnType<typeof setTimeout> | undefined;
  const become = (state: LiveState) => onLive((before) => ({ ...before, state }));
  const hear = () => {
    failures = 0;
    heardAt = Date.now();
    onLive(() => ({ state: "live", heardAt }));
  };
  const line = {};
  const close = () => {
    source?.close();
    source = null;
    lines.delete(line);
    clearTimeout(again);
  };
  const giveUp = () => {
    close();
    become("polling");
    again = setTimeout(open, LISTEN_AGAIN_MS);
  };
  const fail = () => {
    failures += 1;
    // The browser tries again by itself unless the server refused.
    const isRefused = source?.readyState === EventSource.CLOSED;
    if (failures < MOST_FAILURES && !isRefused) {
      become("retrying");
      return;
    }
    giveUp();
  };
  const open = () => {
    close();
    if (lines.size >= MOST_LINES) {
      giveUp();
      return;
    }
    lines.add(line);
    heardAt = Date.now();
    source = new EventSource(address);
    source.addEventListener(event, (message: MessageEvent<string>) => {
      onData(JSON.parse(message.data));
      hear();
    });
    source.addEventListener("tick", hear);
    source.addEventListener("end", () => {
      close();
      clearInterval(watchdog);
      become("over");
    });
    source.addEventListener("error", fail);
  };
  const watchdog = setInterval(() => {
    if (source === null || Date.now() - heardAt < SILENCE_MS) return;
    become("retrying");
    open();
  }, CHECK_MS);
  open();
  return () => {
    clearInterval(watchdog);
    close();
  };
}
