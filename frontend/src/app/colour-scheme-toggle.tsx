import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useTranslation } from "react-i18next";

/**
 * Changes between light and dark. Choosing what the system has means following the system from
 * then on, so there is no third state to explain.
 */
export function ColourSchemeToggle() {
  const { t } = useTranslation("app");
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme("light");
  const systemScheme = useMediaQuery("(prefers-color-scheme: dark)") ? "dark" : "light";
  const other = shown === "dark" ? "light" : "dark";
  return (
    <ActionIcon
      variant="subtle"
      size="lg"
      onClick={() => setColorScheme(other === systemScheme ? "auto" : other)}
      aria-label={other === "dark" ? t("toDark") : t("toLight")}
    >
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden>
        <circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M9 2a7 7 0 0 1 0 14z" fill="currentColor" />
      </svg>
    </ActionIcon>
  );
}
