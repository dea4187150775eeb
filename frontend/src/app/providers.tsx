import { MantineProvider } from "@mantine/core";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { I18nextProvider } from "react-i18next";

import { colourSchemeManager, cssVariables, theme } from "../components/ui/theme";
import { Toasts } from "../components/ui/toasts";
import { i18n } from "../lib/i18n";
import { PageFocusProvider } from "../lib/page-focus";

interface ProvidersProps {
  queryClient: QueryClient;
  /** In tests nothing moves and nothing is measured. */
  env?: "default" | "test";
  children: ReactNode;
}

/** What every page stands in. */
export function Providers({ queryClient, env = "default", children }: ProvidersProps) {
  return (
    <I18nextProvider i18n={i18n}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        colorSchemeManager={colourSchemeManager}
        defaultColorScheme="auto"
        env={env}
      >
        <QueryClientProvider client={queryClient}>
          <PageFocusProvider>
            <Toasts />
            {children}
          </PageFocusProvider>
        </QueryClientProvider>
      </MantineProvider>
    </I18nextProvider>
  );
}
