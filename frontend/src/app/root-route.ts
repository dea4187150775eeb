import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext } from "@tanstack/react-router";

import { sessionQuery } from "../features/session/queries";
import { NotFoundPage } from "../routes/not-found-page";
import { AppShell } from "./app-shell";

interface RouterContext {
  queryClient: QueryClient;
}

/** A page's loader starts its requests and waits for none: the page shows each one's state. */
export function start(request: Promise<unknown>): void {
  request.catch(() => undefined);
}

/** What every page stands in. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: AppShell,
  notFoundComponent: NotFoundPage,
  loader: ({ context }) => start(context.queryClient.query(sessionQuery())),
});
