import { type RefObject, useEffectEvent, useLayoutEffect } from "react";

/** Enter sends from a field of one line; Shift makes a new line, and so does Enter elsewhere. */
export function useEnterSubmits(form: RefObject<HTMLFormElement | null>, submit: () => void): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.isComposing || event.repeat) return;
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (!(target instanceof HTMLTextAreaElement)) return;
    if (target.closest('[data-single-line="true"]') === null) return;
    event.preventDefault();
    submit();
  });
  useLayoutEffect(() => {
    const element = form.current;
    const listen = (event: KeyboardEvent) => handle(event);
    element?.addEventListener("keydown", listen);
    return () => element?.removeEventListener("keydown", listen);
  }, [form]);
}

/** What can be written in, texts before all else; a text to select in takes no typing. */
const WRITABLE = [
  'textarea:not([aria-readonly="true"])',
  'input:not([type="radio"], [type="checkbox"], [type="file"])',
  "input, textarea",
];

/** Hand the focus to the first field to write in, with the caret after what stands there. */
export function focusField(form: HTMLFormElement | null): void {
  const found = WRITABLE.map((kind) => form?.querySelector<HTMLElement>(kind) ?? null);
  const field = found.find((one) => one !== null) ?? null;
  if (field === null || document.activeElement === field) return;
  field.focus();
  if (!(field instanceof HTMLTextAreaElement)) return;
  field.setSelectionRange(field.value.length, field.value.length);
}
