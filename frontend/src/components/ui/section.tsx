import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";

/** A part of a page under its own heading, which also names it for a screen reader. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" mb="xs" id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}
