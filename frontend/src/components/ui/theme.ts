import {
  createTheme,
  type CSSVariablesResolver,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from "@mantine/core";

import { accent, colours, filledStep, type SchemeColours } from "./tokens";

const accentTuple: MantineColorsTuple = accent;
const SYSTEM_FONT =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif';

/** Spaces are multiples of 8 pixels (half a rem), type is the system's. */
export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: filledStep,
  colors: { accent: accentTuple },
  fontFamily: SYSTEM_FONT,
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "Liberation Mono", Menlo, monospace',
  headings: { fontFamily: SYSTEM_FONT, fontWeight: "650" },
  spacing: { xs: "0.5rem", sm: "1rem", md: "1.5rem", lg: "2rem", xl: "3rem" },
  defaultRadius: "sm",
  cursorType: "pointer",
  respectReducedMotion: true,
  autoContrast: true,
});

function variablesOf(scheme: SchemeColours): Record<string, string> {
  const own = Object.entries(scheme).flatMap(([name, colour]: [string, string | string[]]) =>
    typeof colour === "string"
      ? [[cssName(name), colour]]
      : colour.map((step, index) => [`${cssName(name)}-${index + 1}`, step]),
  );
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    "--mantine-color-body": scheme.page,
    "--mantine-color-text": scheme.text,
    "--mantine-color-bright": scheme.text,
    "--mantine-color-dimmed": scheme.dimmed,
    "--mantine-color-placeholder": scheme.dimmed,
    "--mantine-color-disabled-color": scheme.dimmed,
    "--mantine-color-disabled": scheme.surface,
    "--mantine-color-disabled-border": scheme.rule,
    "--mantine-color-anchor": scheme.link,
    "--mantine-color-error": scheme.bad,
    "--mantine-color-success": scheme.good,
    "--mantine-color-default": scheme.page,
    "--mantine-color-default-hover": scheme.hover,
    "--mantine-color-default-color": scheme.text,
    "--mantine-color-default-border": scheme.border,
    "--mantine-color-accent-light-color": scheme.link,
    "--mantine-color-accent-outline": scheme.link,
    "--mantine-primary-color-light-color": scheme.link,
  };
}

/** The CSS variable of a colour: `goodSurface` is `--db-good-surface`. */
function cssName(name: string): string {
  return `--db-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: { "--db-text-width": "72ch" },
  light: variablesOf(colours.light),
  dark: {
    ...variablesOf(colours.dark),
    // What Mantine draws fields, menus and lines with in the dark.
    "--mantine-color-dark-4": colours.dark.rule,
    "--mantine-color-dark-5": colours.dark.hover,
    "--mantine-color-dark-6": colours.dark.surface,
    "--mantine-color-dark-7": colours.dark.page,
  },
});

/** The same key as in public/colour-scheme.js, which acts before the first paint. */
export const colourSchemeManager = localStorageColorSchemeManager({
  key: "dynabench-colour-scheme",
});
