import { Button, Text } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";

import classes from "./log.module.css";
import { QueryView } from "./states";

interface FoldedLogProps {
  show: string;
  hide: string;
  children: ReactNode;
}

/** A log behind a button, there only once it is asked for. */
export function FoldedLog({ show, hide, children }: FoldedLogProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div>
      <Button
        size="compact-sm"
        variant="default"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? hide : show}
      </Button>
      <div id={id}>{isOpen && children}</div>
    </div>
  );
}

interface LogLinesProps {
  query: UseQueryResult<string[]>;
  label: string;
  /** What stands there while nothing was written down. */
  none: string;
}

/** The lines of a log, in a part of the page that scrolls. */
export function LogLines({ query, label, none }: LogLinesProps) {
  return (
    <QueryView
      query={query}
      isEmpty={(lines) => lines.length === 0}
      empty={
        <Text size="sm" c="dimmed" mt="xs">
          {none}
        </Text>
      }
    >
      {(lines) => (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls.
        <pre className={classes.log} tabIndex={0} aria-label={label}>
          {lines.join("\n")}
        </pre>
      )}
    </QueryView>
  );
}
