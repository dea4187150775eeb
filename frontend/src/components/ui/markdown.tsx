import { Text } from "@mantine/core";
import { lazy, Suspense } from "react";

const MarkdownBody = lazy(async () => {
  const { MarkdownBody: component } = await import("./markdown-body");
  return { default: component };
});

interface MarkdownProps {
  children: string;
  /** The level that the text's highest heading gets, so that the page's outline stays whole. */
  topHeading?: 2 | 3 | 4;
}

/**
 * Markdown that someone else wrote: raw HTML is dropped, links open apart, images are not
 * fetched. The renderer is a chunk of its own; until it is there the source is shown.
 */
export function Markdown({ children, topHeading = 2 }: MarkdownProps) {
  return (
    <Suspense fallback={<Text style={{ whiteSpace: "pre-wrap" }}>{children}</Text>}>
      <MarkdownBody topHeading={topHeading}>{children}</MarkdownBody>
    </Suspense>
  );
}
