/**
 * Give the focus back to what lost it only because it was disabled while its deed ran.
 *
 * A browser takes the focus from a disabled button and returns it to nobody, so that who works
 * by keyboard would begin at the top of the page again.
 *
 * @returns stops it
 */
export function keepFocus(): () => void {
  let last: Element | null = null;
  const remember = (event: FocusEvent) => {
    last = event.target instanceof Element ? event.target : null;
  };
  const forget = () => {
    last = null;
  };
  const observer = new MutationObserver(() => {
    if (!(last instanceof HTMLButtonElement) || last.disabled || !last.isConnected) return;
    if (document.activeElement === document.body) last.focus({ preventScroll: true });
  });
  document.addEventListener("focusin", remember);
  // Who points elsewhere leaves it.
  document.addEventListener("pointerdown", forget);
  observer.observe(document.body, { attributeFilter: ["disabled"], subtree: true });
  return () => {
    document.removeEventListener("focusin", remember);
    document.removeEventListener("pointerdown", forget);
    observer.disconnect();
  };
}
