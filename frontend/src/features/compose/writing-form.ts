import { type RefObject, useEffect, useEffectEvent } from "react";

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
  useEffect(() => {
    const element = form.current;
    const listen = (event: KeyboardEvent) => handle(event);
    element?.addEventListener("keydown", listen);
    return () => element?.removeEventListener("keydown", listen);
  }, [form]);
}

/** Hand the focus to the first field to write in, with the caret after what stands there. */
export function focusField(form: HTMLFormElement | null): void {
  const box = form?.querySelector<HTMLTextAreaElement>("textarea");
  if (box === null || box === undefined) return;
  if (document.activeElement === box) return;
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
}
