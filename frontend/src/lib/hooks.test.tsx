import { act, renderHook } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { useDraft } from "./draft-storage";
import { useIdempotencyKey } from "./idempotency";
import {
  ariaKeys,
  describeKeys,
  useActiveShortcuts,
  useShortcut,
  useSingleKeys,
} from "./shortcuts";

const place = { user: "ada", task: "nli", round: "1", context: "c1" };

test("a draft survives a reload and is kept apart by place", () => {
  const first = renderHook(() => useDraft(place, ""));
  act(() => first.result.current[1]("A hypothesis"));
  first.unmount();

  const again = renderHook(({ at }) => useDraft(at, ""), { initialProps: { at: place } });
  expect(again.result.current[0]).toBe("A hypothesis");
  again.rerender({ at: { ...place, context: "c2" } });
  expect(again.result.current[0]).toBe("");
  again.rerender({ at: place });
  expect(again.result.current[0]).toBe("A hypothesis");
  act(() => again.result.current[2]());
  expect(again.result.current[0]).toBe("");
  expect(localStorage).toHaveLength(0);
});

test("a draft that cannot be read is an empty one", () => {
  localStorage.setItem("dynabench-draft:ada:nli:1:c1", "{");
  expect(renderHook(() => useDraft(place, "empty")).result.current[0]).toBe("empty");
});

test("typing works where nothing can be stored", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  const { result } = renderHook(() => useDraft(place, ""));
  act(() => result.current[1]("kept in memory"));
  expect(result.current[0]).toBe("kept in memory");
});

test("the same body keeps its key until it was created", () => {
  const { result } = renderHook(() => useIdempotencyKey());
  const key = result.current.keyFor({ text: "a" });
  expect(result.current.keyFor({ text: "a" })).toBe(key);
  expect(result.current.keyFor({ text: "b" })).not.toBe(key);
  const before = result.current.keyFor({ text: "b" });
  result.current.renew();
  expect(result.current.keyFor({ text: "b" })).not.toBe(before);
});

function press(keys: string) {
  const run = vi.fn();
  renderHook(() => useShortcut(keys, "Do it", run));
  return run;
}

test("a single key acts, but not while someone types", async () => {
  const run = press("n");
  document.body.innerHTML = '<textarea></textarea><input type="radio" />';
  await userEvent.keyboard("n");
  expect(run).toHaveBeenCalledTimes(1);
  await userEvent.type(document.querySelector("textarea") as Element, "n");
  expect(run).toHaveBeenCalledTimes(1);
  await userEvent.click(document.querySelector("input") as Element);
  await userEvent.keyboard("n");
  expect(run).toHaveBeenCalledTimes(2);
});

test("a key with a modifier acts while someone types", async () => {
  const run = press("mod+enter");
  document.body.innerHTML = "<textarea></textarea>";
  await userEvent.click(document.querySelector("textarea") as Element);
  await userEvent.keyboard("{Enter}");
  expect(run).not.toHaveBeenCalled();
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  expect(run).toHaveBeenCalledOnce();
});

test("Alt reads a key from its place, whatever character it types there", () => {
  const run = press("alt+n");
  globalThis.dispatchEvent(new KeyboardEvent("keydown", { key: "˜", code: "KeyN", altKey: true }));
  expect(run).toHaveBeenCalledOnce();
});

test("a key with a modifier that was not asked for does nothing", async () => {
  const run = press("n");
  await userEvent.keyboard("{Control>}n{/Control}");
  expect(run).not.toHaveBeenCalled();
});

test("nothing acts behind an open dialog", async () => {
  const run = press("n");
  document.body.innerHTML = '<div role="dialog" aria-modal="true"></div>';
  await userEvent.keyboard("n");
  expect(run).not.toHaveBeenCalled();
  document.body.innerHTML = "";
});

test("single keys can be switched off, and stay off", async () => {
  const run = press("n");
  const { result } = renderHook(() => useSingleKeys());
  act(() => result.current[1](false));
  await userEvent.keyboard("n");
  expect(run).not.toHaveBeenCalled();
  expect(renderHook(() => useSingleKeys()).result.current[0]).toBe(false);
});

test("the keys of what is on the page are listed", () => {
  const { unmount } = renderHook(() => useShortcut("n", "New context", () => undefined));
  const { result } = renderHook(() => useActiveShortcuts());
  expect(result.current).toEqual([{ keys: "n", label: "New context" }]);
  act(() => unmount());
  expect(result.current).toEqual([]);
});

test.each([
  ["mod+enter", "Mac", "⌘↵", "Control+Enter"],
  ["mod+enter", "X11; Linux", "Ctrl ↵", "Control+Enter"],
  ["alt+1", "X11; Linux", "Alt 1", "Alt+1"],
  ["n", "X11; Linux", "N", "n"],
])("%s on %s is written as %s", (keys, platform, written, aria) => {
  expect(describeKeys(keys, platform)).toBe(written);
  expect(ariaKeys(keys)).toBe(aria);
});
