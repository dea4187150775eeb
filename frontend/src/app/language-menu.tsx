import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";

import { chooseLanguage, isLanguage, LANGUAGES } from "../lib/i18n/languages";

/** The languages of the interface, each by its own name. */
export function LanguageMenu() {
  const { t, i18n } = useTranslation("app");
  const shown = isLanguage(i18n.language) ? i18n.language : "en";
  const choose = (wanted: string) => {
    if (!isLanguage(wanted)) return;
    chooseLanguage(wanted).catch(() => notifications.show({ message: t("languageFailed") }));
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" px={8} aria-label={t("language", { name: LANGUAGES[shown].name })}>
          {shown.toUpperCase()}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={shown} onChange={choose}>
          {Object.entries(LANGUAGES).map(([language, { name }]) => (
            <Menu.RadioItem key={language} value={language} lang={language} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
