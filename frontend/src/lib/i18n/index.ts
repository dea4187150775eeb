import i18next from "i18next";
import { initReactI18next } from "react-i18next";

import admin from "./en/admin.json";
import app from "./en/app.json";
import type audit from "./en/audit.json";
import type boards from "./en/boards.json";
import compose from "./en/compose.json";
import config from "./en/config.json";
import contexts from "./en/contexts.json";
import type datasets from "./en/datasets.json";
import type evaluations from "./en/evaluations.json";
import examples from "./en/examples.json";
import gallery from "./en/gallery.json";
import jobs from "./en/jobs.json";
import join from "./en/join.json";
import type live from "./en/live.json";
import members from "./en/members.json";
import models from "./en/models.json";
import notifications from "./en/notifications.json";
import owner from "./en/owner.json";
import type plans from "./en/plans.json";
import type plots from "./en/plots.json";
import profile from "./en/profile.json";
import proposals from "./en/proposals.json";
import type releases from "./en/releases.json";
import rounds from "./en/rounds.json";
import type scales from "./en/scales.json";
import session from "./en/session.json";
import type submissions from "./en/submissions.json";
import tasks from "./en/tasks.json";
import type training from "./en/training.json";
import ui from "./en/ui.json";
import validate from "./en/validate.json";
import { numbersInSentences } from "./numbers";

/** One file of sentences per area; `languages.ts` knows the languages besides English. */
const resources = {
  admin,
  app,
  compose,
  config,
  contexts,
  examples,
  gallery,
  jobs,
  join,
  members,
  models,
  notifications,
  owner,
  profile,
  proposals,
  rounds,
  session,
  tasks,
  ui,
  validate,
} as const;

/** Areas that no first page needs: a page of theirs brings them along (`later/`). */
interface LaterResources {
  audit: typeof audit;
  boards: typeof boards;
  datasets: typeof datasets;
  evaluations: typeof evaluations;
  live: typeof live;
  plans: typeof plans;
  plots: typeof plots;
  releases: typeof releases;
  scales: typeof scales;
  submissions: typeof submissions;
  training: typeof training;
}

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "ui";
    resources: typeof resources & LaterResources;
  }
}

export const i18n = i18next.createInstance();

void i18n
  .use(initReactI18next)
  .use(numbersInSentences)
  .init({
    lng: "en",
    fallbackLng: "en",
    defaultNS: "ui",
    ns: Object.keys(resources),
    resources: { en: resources },
    // React escapes what it renders.
    interpolation: { escapeValue: false, alwaysFormat: true },
    initAsync: false,
  });

/** Add an area's English sentences, for as long as the page lives. */
export function addArea<Area extends keyof LaterResources>(
  area: Area,
  sentences: LaterResources[Area],
): void {
  i18n.addResourceBundle("en", area, sentences);
}

i18n.on("languageChanged", (language) => {
  document.documentElement.lang = language;
});
