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

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: AppShell,
  notFoundComponent: NotFoundPage,
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(sessionQuery());
  },
});

/**
 * Every page: its address, what it prefetches, and its chunk. Loaders start fetching and do not
 * wait, so that a page shows its own loading state.
 */
const routeTree = rootRoute.addChildren([
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/",
    loader: ({ context }) => {
      void context.queryClient.prefetchQuery(taskListQuery());
    },
    component: lazyRouteComponent(() => import("../routes/task-list-page"), "TaskListPage"),
  }),
]);

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
