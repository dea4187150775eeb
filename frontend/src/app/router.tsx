import type { QueryClient } from "@tanstack/react-query";
import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
} from "@tanstack/react-router";

import { readSearch } from "../features/admin/queries";
import { readDrawn } from "../features/boards/board-search";
import { creditQuery, profileQuery } from "../features/profile/queries";
import { readProposalFilter } from "../features/proposals/status-filter";
import { roundListQuery } from "../features/rounds/queries";
import { readNext, readSignUp } from "../features/session/next-address";
import {
  currentRoundQuery,
  currentRoundsQuery,
  taskListQuery,
  taskQuery,
} from "../features/tasks/queries";
import { readTaskFilter } from "../features/tasks/task-filter";
import { CrashedPage } from "../routes/crashed-page";
import { boardRoutes } from "./board-routes";
import { dataRoutes } from "./data-routes";
import { modelRoutes } from "./model-routes";
import { ownerRoutes } from "./owner-routes";
import { rootRoute, start } from "./root-route";

/** `?round=2`; anything else is no round in particular. */
function roundSearch(search: Record<string, unknown>): { round?: number } {
  const number = Number(search.round);
  return Number.isInteger(number) && number > 0 ? { round: number } : {};
}

const taskListRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: readTaskFilter,
  loader: ({ context }) => {
    start(context.queryClient.query(taskListQuery()));
    start(context.queryClient.query(currentRoundsQuery()));
  },
  component: lazyRouteComponent(() => import("../routes/task-list-page"), "TaskListPage"),
});

const taskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug",
  validateSearch: readDrawn,
  loader: ({ context, params }) => {
    start(context.queryClient.query(taskQuery(params.slug)));
    start(context.queryClient.query(currentRoundQuery(params.slug)));
  },
  component: lazyRouteComponent(() => import("../routes/task-page"), "TaskPage"),
});

const createExampleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/create",
  loader: ({ context, params }) => {
    start(context.queryClient.query(taskQuery(params.slug)));
    start(context.queryClient.query(currentRoundQuery(params.slug)));
  },
  component: lazyRouteComponent(() => import("../routes/create-page"), "CreatePage"),
});

const validateRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/validate",
  validateSearch: roundSearch,
  loader: ({ context, params }) => {
    start(context.queryClient.query(taskQuery(params.slug)));
    start(context.queryClient.query(roundListQuery(params.slug)));
  },
  component: lazyRouteComponent(() => import("../routes/validate-page"), "ValidatePage"),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: readNext,
  component: lazyRouteComponent(() => import("../routes/sign-in-page"), "SignInPage"),
});

const signUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-up",
  validateSearch: readSignUp,
  component: lazyRouteComponent(() => import("../routes/sign-up-page"), "SignUpPage"),
});

const passwordResetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/password-reset/$secret",
  component: lazyRouteComponent(() => import("../routes/password-reset-page"), "PasswordResetPage"),
});

const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/join/$secret",
  component: lazyRouteComponent(() => import("../routes/join-page"), "JoinPage"),
});

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/users/$username",
  loader: ({ context: { queryClient }, params: { username } }) => {
    start(queryClient.query(profileQuery(username)));
    start(queryClient.query(creditQuery(username)));
  },
  component: lazyRouteComponent(() => import("../routes/profile-page"), "ProfilePage"),
});

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/admin",
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import("../routes/admin-page"), "AdminPage"),
});

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/admin/audit",
  component: lazyRouteComponent(() => import("../routes/audit-page"), "AuditPage"),
});

const roundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/rounds/$number",
  loader: ({ context, params }) => {
    start(context.queryClient.query(taskQuery(params.slug)));
    start(context.queryClient.query(roundListQuery(params.slug)));
  },
  component: lazyRouteComponent(() => import("../routes/round-page"), "RoundPage"),
});

const galleryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/gallery",
  component: lazyRouteComponent(() => import("../routes/gallery-page"), "GalleryPage"),
});

const newTaskRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/new-task",
  component: lazyRouteComponent(() => import("../routes/new-task-page"), "NewTaskPage"),
});

const proposeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/propose",
  component: lazyRouteComponent(() => import("../routes/propose-task-page"), "ProposeTaskPage"),
});

const proposalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/proposals",
  validateSearch: readProposalFilter,
  component: lazyRouteComponent(() => import("../routes/proposals-page"), "ProposalsPage"),
});

const proposalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/proposals/$proposalId",
  component: lazyRouteComponent(() => import("../routes/proposal-page"), "ProposalPage"),
});

const notificationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/notifications",
  component: lazyRouteComponent(() => import("../routes/notifications-page"), "NotificationsPage"),
});

/** Every page: its address, what it fetches at once, and its chunk. */
const routeTree = rootRoute.addChildren([
  taskListRoute,
  taskRoute,
  createExampleRoute,
  validateRoute,
  signInRoute,
  signUpRoute,
  passwordResetRoute,
  joinRoute,
  profileRoute,
  adminRoute,
  auditRoute,
  roundRoute,
  galleryRoute,
  newTaskRoute,
  proposeRoute,
  proposalsRoute,
  proposalRoute,
  notificationsRoute,
  ...dataRoutes,
  ...modelRoutes,
  ...ownerRoutes,
  ...boardRoutes,
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
