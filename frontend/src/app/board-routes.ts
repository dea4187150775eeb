import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { readBoardSearch } from "../features/boards/board-search";
import { taskQuery } from "../features/tasks/queries";
import { rootRoute, start } from "./root-route";

const leaderboardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/leaderboard",
  validateSearch: readBoardSearch,
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(() => import("../routes/leaderboard-page"), "LeaderboardPage"),
});

const savedBoardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/boards/$boardId",
  component: lazyRouteComponent(() => import("../routes/saved-board-page"), "SavedBoardPage"),
});

const embeddedBoardRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/embed/tasks/$slug/leaderboard",
  validateSearch: readBoardSearch,
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(() => import("../routes/embedded-board-page"), "EmbeddedBoardPage"),
});

const scaleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/scale",
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(() => import("../routes/scale-page"), "ScalePage"),
});

/** The board, its saved copies, the board for other pages, and models across rounds. */
export const boardRoutes = [
  leaderboardRoute,
  savedBoardRoute,
  embeddedBoardRoute,
  scaleRoute,
] as const;
