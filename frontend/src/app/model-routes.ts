import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { readComparisonSearch, readItemSearch } from "../features/evaluations/item-search";
import { evaluationListQuery } from "../features/evaluations/queries";
import { modelListQuery, modelQuery } from "../features/models/queries";
import { taskQuery } from "../features/tasks/queries";
import { rootRoute, start } from "./root-route";

const submitRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/submit",
  loader: ({ context, params }) => {
    start(context.queryClient.query(taskQuery(params.slug)));
    start(context.queryClient.query(modelListQuery(params.slug)));
  },
  component: lazyRouteComponent(() => import("../routes/submit-page"), "SubmitPage"),
});

const modelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/models/$modelId",
  validateSearch: readItemSearch,
  loader: ({ context, params }) => {
    start(context.queryClient.query(taskQuery(params.slug)));
    start(context.queryClient.query(modelQuery(params.modelId)));
    start(context.queryClient.query(evaluationListQuery(params.modelId)));
  },
  component: lazyRouteComponent(() => import("../routes/model-page"), "ModelPage"),
});

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/compare",
  validateSearch: readComparisonSearch,
  loader: ({ context, params }) => {
    start(context.queryClient.query(taskQuery(params.slug)));
    start(context.queryClient.query(modelListQuery(params.slug)));
  },
  component: lazyRouteComponent(() => import("../routes/compare-page"), "ComparePage"),
});

/** Models handed in, looked at and compared. */
export const modelRoutes = [submitRoute, modelRoute, compareRoute] as const;
