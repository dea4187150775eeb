import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from "@tanstack/react-router";

import { sessionQuery } from "../features/session/queries";
import { taskListQuery } from "../features/tasks/queries";
import { CrashedPage } from "../routes/crashed-page";
import { NotFoundPage } from "../routes/not-found-page";
import { AppShell } from "./app-shell";

interface RouterContext {
  queryClient: QueryClient;
}

/** A page's loader starts its requests and waits for none: the page shows each one's state. */
function start(request: Promise<unknown>): void {
  request.catch(() => undefined);
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: AppShell,
  notFoundComponent: NotFoundPage,
  loader: ({ context }) => start(context.queryClient.query(sessionQuery())),
});

const taskListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  loader: ({ context }) => start(context.queryClient.query(taskListQuery())),
  component: lazyRouteComponent(() => import("../routes/task-list-page"), "TaskListPage"),
});

/** Every page: its address, what it fetches at once, and its chunk. */
const routeTree = rootRoute.addChildren([taskListRoute]);

export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    // The query client decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: CrashedPage,
    scrollRestoration: true,
    ...(history === undefined ? {} : { history }),
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
