import "@testing-library/jest-dom/vitest";
import "../lib/i18n/later/boards";
import "../lib/i18n/later/datasets";
import "../lib/i18n/later/evaluations";
import "../lib/i18n/later/live";
import "../lib/i18n/later/plots";
import "../lib/i18n/later/submissions";

import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect } from "vitest";

import { i18n } from "../lib/i18n";
import { server } from "./server";

// The first page of a file loads its chunks, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 5_000 });

// What jsdom lacks and Mantine asks for.
globalThis.ResizeObserver = class {
  observe() {
    // Nothing has a size here.
  }
  unobserve() {
    // See above.
  }
  disconnect() {
    // See above.
  }
};
Element.prototype.scrollIntoView = () => undefined;
globalThis.scrollTo = () => undefined;
Object.defineProperty(document, "fonts", {
  value: { addEventListener: () => undefined, removeEventListener: () => undefined },
});
globalThis.matchMedia = (query) =>
  Object.assign(new EventTarget(), {
    // Motion is off in tests, so that nothing has to be waited for.
    matches: query.includes("prefers-reduced-motion"),
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });

const unhandled: string[] = [];

// What a sentence names and nobody gave it; the page would show the braces.
const missing: string[] = [];
i18n.options.missingInterpolationHandler = (sentence: string) => {
  missing.push(sentence);
};

beforeAll(() => {
  server.listen({
    onUnhandledFrame: async ({ frame, defaults }) => {
      unhandled.push(await frame.getUnhandledMessage());
      defaults.error();
    },
  });
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
  // The page shows a failed request as its failed state; the test must fail all the same.
  expect(unhandled.splice(0)).toEqual([]);
  expect(missing.splice(0)).toEqual([]);
});

afterAll(() => {
  server.close();
});
