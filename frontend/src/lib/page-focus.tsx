import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from "react";

interface PageFocus {
  /** The next heading to appear takes the focus. */
  expect: () => void;
  take: () => boolean;
}

const PageFocusContext = createContext<PageFocus>({ expect: () => undefined, take: () => false });

/** Lets a change of page hand the focus to the new page's heading, whenever that appears. */
export function PageFocusProvider({ children }: { children: ReactNode }) {
  const isExpected = useRef(false);
  const focus = useMemo(
    () => ({
      expect: () => {
        isExpected.current = true;
      },
      take: () => {
        const wasExpected = isExpected.current;
        isExpected.current = false;
        return wasExpected;
      },
    }),
    [],
  );
  return <PageFocusContext value={focus}>{children}</PageFocusContext>;
}

export function useExpectPageFocus(): () => void {
  return use(PageFocusContext).expect;
}

/** Give the page its document title, and its heading the focus if the page was just changed to. */
export function usePageTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const focus = use(PageFocusContext);
  useEffect(() => {
    document.title = `${title} · Dynabench`;
    if (focus.take()) heading.current?.focus();
  }, [title, focus]);
  return heading;
}
