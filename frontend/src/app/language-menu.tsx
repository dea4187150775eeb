import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";

import { MenuButton } from "../components/ui/menu-button";
import { chooseLanguage, isLanguage, LANGUAGES } from "../lib/i18n/languages";

/** The languages of the interface, each by its own name. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation("app");
  const shown = isLanguage(i18n.language) ? i18n.language : "en";
  const entries = Object.keys(LANGUAGES)
    .filter(isLanguage)
    .map((language) => ({
      name: LANGUAGES[language].name,
      lang: language,
      isChosen: language === shown,
      onChoose: () => {
        chooseLanguage(language).catch(() => notifications.show({ message: t("languageFailed") }));
      },
    }));
  const label = t("language", { name: LANGUAGES[shown].name });
  return (
    <MenuButton label={label} variant="subtle" entries={entries}>
      {shown.toUpperCase()}
    </MenuButton>
  );
}
