import i18next from "i18next";
import { initReactI18next } from "react-i18next";

import app from "./en/app.json";
import session from "./en/session.json";
import tasks from "./en/tasks.json";
import ui from "./en/ui.json";

/** One file of sentences per area; another language is another folder beside `en`. */
export const resources = { app, session, tasks, ui } as const;

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
