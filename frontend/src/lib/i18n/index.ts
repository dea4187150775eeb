import i18next from "i18next";
import { initReactI18next } from "react-i18next";

import admin from "./en/admin.json";
import app from "./en/app.json";
import boards from "./en/boards.json";
import compose from "./en/compose.json";
import config from "./en/config.json";
import contexts from "./en/contexts.json";
import datasets from "./en/datasets.json";
import evaluations from "./en/evaluations.json";
import examples from "./en/examples.json";
import gallery from "./en/gallery.json";
import jobs from "./en/jobs.json";
import join from "./en/join.json";
import members from "./en/members.json";
import models from "./en/models.json";
import notifications from "./en/notifications.json";
import owner from "./en/owner.json";
import profile from "./en/profile.json";
import proposals from "./en/proposals.json";
import rounds from "./en/rounds.json";
import session from "./en/session.json";
import submissions from "./en/submissions.json";
import tasks from "./en/tasks.json";
import training from "./en/training.json";
import ui from "./en/ui.json";
import validate from "./en/validate.json";
import { numbersInSentences } from "./numbers";

/** One file of sentences per area; `languages.ts` knows the languages besides English. */
export const resources = {
  admin,
  app,
  boards,
  compose,
  config,
  contexts,
  datasets,
  evaluations,
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
  submissions,
  tasks,
  training,
  ui,
  validate,
} as const;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "ui";
    resources: typeof resources;
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

i18n.on("languageChanged", (language) => {
  document.documentElement.lang = language;
});
