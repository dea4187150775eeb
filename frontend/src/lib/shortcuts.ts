import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from "react";

import { browserStorage } from "./browser-storage";

/** A key that does something on this page, for the list that "?" opens. */
export interface Shortcut {
  keys: string;
  label: string;
}

const PREFERENCE_KEY = "dynabench-single-keys";
const listeners = new Set<() => void>();
let active: readonly Shortcut[] = [];

function announceChange(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The shortcuts of what is on the page now. */
export function useActiveShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, () => active);
}

/** Whether single keys (no modifier) act; some people's speech input or tremor needs them off. */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  const isOn = useSyncExternalStore(subscribe, areSingleKeysOn);
  return [isOn, setSingleKeys];
}

function areSingleKeysOn(): boolean {
  return browserStorage.read(PREFERENCE_KEY) !== "off";
}

function setSingleKeys(on: boolean): void {
  browserStorage.write(PREFERENCE_KEY, on ? "on" : "off");
  announceChange();
}

const MODIFIERS = ["mod", "alt"];

/** Whether the combination, such as "mod+enter" or "1", has a modifier. */
export function hasModifier(keys: string): boolean {
  return MODIFIERS.some((modifier) => keys.startsWith(`${modifier}+`));
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || target.ariaReadOnly === "true") return false;
  if (target instanceof HTMLInputElement) return !["radio", "checkbox"].includes(target.type);
  return target.matches("textarea, select") || target.isContentEditable;
}

function matches(event: KeyboardEvent, keys: string): boolean {
  const key = keys.slice(keys.lastIndexOf("+") + 1) || "+";
  const needsMod = keys.startsWith("mod+");
  const needsAlt = keys.startsWith("alt+");
  if ((event.ctrlKey || event.metaKey) !== needsMod || event.altKey !== needsAlt) return false;
  // With Alt a Mac types another character, so the key is read from its place.
  const places = [`Digit${key}`, `Key${key.toUpperCase()}`];
  return event.key.toLowerCase() === key || (needsAlt && places.includes(event.code));
}

function isBehindDialog(event: KeyboardEvent): boolean {
  const dialog = document.querySelector('[role="dialog"][aria-modal="true"]');
  return dialog !== null && !(event.target instanceof Node && dialog.contains(event.target));
}

/**
 * Do something on a key. `keys` is "n", "?", "1", "mod+enter" (⌘ or Ctrl) or "alt+1".
 *
 * A single key is ignored while someone types, and always when single keys are switched off;
 * every key is ignored behind an open dialog and while a character is being composed.
 */
export function useShortcut(keys: string, label: string, run: () => void, isEnabled = true): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    if (!matches(event, keys) || isBehindDialog(event)) return;
    if (!hasModifier(keys) && (isTyping(event.target) || !areSingleKeysOn())) return;
    event.preventDefault();
    run();
  });
  // Before the page is drawn: a key acts as soon as what it acts on is seen.
  useLayoutEffect(() => {
    if (!isEnabled) return;
    const shortcut = { keys, label };
    const listen = (event: KeyboardEvent) => handle(event);
    active = [...active, shortcut];
    announceChange();
    globalThis.addEventListener("keydown", listen);
    return () => {
      active = active.filter((other) => other !== shortcut);
      announceChange();
      globalThis.removeEventListener("keydown", listen);
    };
  }, [keys, label, isEnabled]);
}

/** The combination as it stands on a key: "⌘↵" on a Mac, "Ctrl ↵" elsewhere. */
export function describeKeys(keys: string, platform: string = navigator.userAgent): string {
  const isMac = /Mac|iPhone|iPad/.test(platform);
  const names: Record<string, string> = {
    mod: isMac ? "⌘" : "Ctrl",
    alt: isMac ? "⌥" : "Alt",
    enter: "↵",
    escape: "Esc",
  };
  const parts = keys.split("+").map((part) => names[part] ?? part.toUpperCase());
  return parts.join(isMac ? "" : " ");
}

/** The same as `aria-keyshortcuts` wants it. */
export function ariaKeys(keys: string): string {
  const names: Record<string, string> = { mod: "Control", alt: "Alt", enter: "Enter" };
  return keys
    .split("+")
    .map((part) => names[part] ?? part)
    .join("+");
}
