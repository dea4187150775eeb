import { useDocumentVisibility } from "@mantine/hooks";
import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

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

interface LiveOptions {
  /** Where the events come from. */
  address: string;
  /** What they are called. */
  event: string;
  /** The query whose data each event is. */
  queryKey: QueryKey;
}

/**
 * Keep a query's data as new as the server's events for as long as the page is looked at.
 * A hidden tab hears nothing, so that it holds no connection; it catches up when it is shown.
 */
export function useLive({ address, event, queryKey }: LiveOptions): Live {
  const client = useQueryClient();
  const isShown = useDocumentVisibility() !== "hidden";
  const canListen = typeof EventSource !== "undefined";
  const [live, setLive] = useState<Live>({ state: "connecting", heardAt: null });
  const key = JSON.stringify(queryKey);
  useEffect(() => {
    if (!isShown || !canListen) return undefined;
    return listen({
      address,
      event,
      onData: (data) => client.setQueryData(JSON.parse(key) as QueryKey, data),
      onLive: setLive,
    });
  }, [address, event, key, isShown, canListen, client]);
  return canListen ? live : { state: "polling", heardAt: live.heardAt };
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
  const close = () => {
    source?.close();
    source = null;
    clearTimeout(again);
  };
  const fail = () => {
    failures += 1;
    // The browser tries again by itself unless the server refused.
    const isRefused = source?.readyState === EventSource.CLOSED;
    if (failures < MOST_FAILURES && !isRefused) {
      become("retrying");
      return;
    }
    close();
    become("polling");
    again = setTimeout(open, LISTEN_AGAIN_MS);
  };
  const open = () => {
    close();
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
