import { waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { keepFocus } from "./kept-focus";

let stop: () => void;
let button: HTMLButtonElement;

beforeEach(() => {
  stop = keepFocus();
  button = document.createElement("button");
  document.body.append(button, document.createElement("input"));
  button.focus();
});

afterEach(() => {
  stop();
  document.body.replaceChildren();
});

/** Disable the button as a browser does, which takes its focus away, and enable it again. */
async function run(meanwhile: () => void = () => undefined): Promise<void> {
  button.disabled = true;
  button.blur();
  meanwhile();
  button.disabled = false;
  // Whoever observes is told after this.
  await Promise.resolve();
}

test("a button that was disabled while its deed ran has the focus again", async () => {
  await run();
  await waitFor(() => expect(button).toHaveFocus());
});

test("who went elsewhere meanwhile stays there", async () => {
  const field = document.querySelector("input");
  await run(() => field?.focus());
  expect(field).toHaveFocus();
});

test("who pointed elsewhere meanwhile is not called back", async () => {
  await run(() => document.body.dispatchEvent(new Event("pointerdown", { bubbles: true })));
  expect(document.body).toHaveFocus();
});
