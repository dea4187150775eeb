import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Where `npm run dev` finds the API; the built page is served by the API itself. */
const apiAddress = process.env.DYNABENCH_API ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react()],
  server: { host: "127.0.0.1", proxy: { "/api": apiAddress } },
  build: {
    outDir: "../dynabench/ui/dist",
    emptyOutDir: true,
    target: "es2023",
    // The content security policy allows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/mocks/setup.ts"],
    restoreMocks: true,
    unstubGlobals: true,
    css: false,
    testTimeout: 15_000,
    maxWorkers: 2,
  },
});
