import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render, type RenderResult } from "@testing-library/react";
import type { ReactNode } from "react";
import { I18nextProvider } from "react-i18next";

import { Providers } from "../app/providers";
import { createAppRouter } from "../app/router";
import { cssVariables, theme } from "../components/ui/theme";
import { i18n } from "../lib/i18n";
import { PageFocusProvider } from "../lib/page-focus";

export type Scheme = "light" | "dark";
export const schemes: readonly Scheme[] = ["light", "dark"];

function quickClient(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false } } });
}

/** Render one component in everything that stands around it, but without a router. */
export function renderUi(children: ReactNode, scheme: Scheme = "light"): RenderResult {
  const client = quickClient();
  return render(children, {
    wrapper: ({ children: inner }) => (
      <I18nextProvider i18n={i18n}>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          forceColorScheme={scheme}
          env="test"
        >
          <QueryClientProvider client={client}>
            <PageFocusProvider>
              <Notifications />
              {inner}
            </PageFocusProvider>
          </QueryClientProvider>
        </MantineProvider>
      </I18nextProvider>
    ),
  });
}

/** Render the whole application at an address, as a browser would open it. */
export function renderApp(address: string) {
  const client = quickClient();
  const router = createAppRouter(client, createMemoryHistory({ initialEntries: [address] }));
  const screen = render(
    <Providers queryClient={client} env="test">
      <RouterProvider router={router} />
    </Providers>,
  );
  return { ...screen, router, client };
}
