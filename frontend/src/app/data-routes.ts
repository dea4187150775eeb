import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { taskQuery } from "../features/tasks/queries";
import { rootRoute, start } from "./root-route";

const datasetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/datasets/$versionId",
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(() => import("../routes/dataset-page"), "DatasetPage"),
});

/** What comes out of a task, for everybody. */
export const dataRoutes = [datasetRoute] as const;
