import "./components/ui/mantine.css";
import "@mantine/notifications/styles.css";
import "./components/ui/global.css";

import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { Providers } from "./app/providers";
import { createQueryClient } from "./app/query-client";
import { createAppRouter } from "./app/router";
import { startLanguage } from "./lib/i18n/languages";
import { keepFocus } from "./lib/kept-focus";

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);
const place = document.getElementById("root");
if (place === null) throw new Error("The document has no #root.");

// The first words are already in the reader's language.
await startLanguage();
keepFocus();
createRoot(place).render(
  <StrictMode>
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
