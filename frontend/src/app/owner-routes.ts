import { createRoute, lazyRouteComponent } from "@tanstack/react-router";

import { datasetListQuery, readDatasetSearch } from "../features/datasets/queries";
import { readExampleSearch } from "../features/examples/filters";
import { readPlanSearch } from "../features/plans/search";
import { roundListQuery } from "../features/rounds/queries";
import { taskQuery } from "../features/tasks/queries";
import { rootRoute, start } from "./root-route";

const ownerRoundsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/owner",
  loader: ({ context, params }) => {
    start(context.queryClient.query(taskQuery(params.slug)));
    start(context.queryClient.query(roundListQuery(params.slug)));
  },
  component: lazyRouteComponent(() => import("../routes/owner-rounds-page"), "OwnerRoundsPage"),
});

const ownerNextRoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/owner/next-round",
  validateSearch: readPlanSearch,
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(
    () => import("../routes/owner-next-round-page"),
    "OwnerNextRoundPage",
  ),
});

const ownerExamplesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/owner/examples",
  validateSearch: readExampleSearch,
  loader: ({ context, params }) => {
    start(context.queryClient.query(taskQuery(params.slug)));
    start(context.queryClient.query(roundListQuery(params.slug)));
  },
  component: lazyRouteComponent(() => import("../routes/owner-examples-page"), "OwnerExamplesPage"),
});

const ownerContextsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/owner/contexts",
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(() => import("../routes/owner-contexts-page"), "OwnerContextsPage"),
});

const ownerModelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/owner/models",
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(() => import("../routes/owner-models-page"), "OwnerModelsPage"),
});

const ownerMembersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/owner/members",
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(() => import("../routes/owner-members-page"), "OwnerMembersPage"),
});

const ownerDataRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/owner/data",
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(() => import("../routes/owner-data-page"), "OwnerDataPage"),
});

const ownerTrainingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/owner/training",
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(() => import("../routes/owner-training-page"), "OwnerTrainingPage"),
});

const ownerDatasetsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/owner/datasets",
  validateSearch: readDatasetSearch,
  loader: ({ context, params }) => {
    start(context.queryClient.query(taskQuery(params.slug)));
    start(context.queryClient.query(datasetListQuery(params.slug)));
  },
  component: lazyRouteComponent(() => import("../routes/owner-datasets-page"), "OwnerDatasetsPage"),
});

const ownerConfigRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/owner/config",
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(() => import("../routes/owner-config-page"), "OwnerConfigPage"),
});

const ownerAuditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/tasks/$slug/owner/audit",
  loader: ({ context, params }) => start(context.queryClient.query(taskQuery(params.slug))),
  component: lazyRouteComponent(() => import("../routes/owner-audit-page"), "OwnerAuditPage"),
});

/** Every part of the owner's console. */
export const ownerRoutes = [
  ownerRoundsRoute,
  ownerNextRoundRoute,
  ownerExamplesRoute,
  ownerContextsRoute,
  ownerModelsRoute,
  ownerMembersRoute,
  ownerDataRoute,
  ownerTrainingRoute,
  ownerDatasetsRoute,
  ownerConfigRoute,
  ownerAuditRoute,
] as const;
