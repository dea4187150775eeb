import i18next from "i18next";
import { initReactI18next } from "react-i18next";

import admin from "./en/admin.json";
import app from "./en/app.json";
import compose from "./en/compose.json";
import join from "./en/join.json";
import profile from "./en/profile.json";
import jobs from "./en/jobs.json";
import models from "./en/models.json";
import rounds from "./en/rounds.json";
import session from "./en/session.json";
import tasks from "./en/tasks.json";
import ui from "./en/ui.json";
import validate from "./en/validate.json";

/** One file of sentences per area; another language is another folder beside `en`. */
export const resources = {
  rounds,
  models,
  jobs,
  admin,
  app,
  compose,
  join,
  profile,
  session,
  tasks,
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

void i18n.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  defaultNS: "ui",
  ns: Object.keys(resources),
  resources: { en: resources },
  // React escapes what it renders.
  interpolation: { escapeValue: false },
  initAsync: false,
});

i18n.on("languageChanged", (language) => {
  document.documentElement.lang = language;
});
