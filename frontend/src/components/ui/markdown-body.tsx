import { Anchor, Table, Title, type TitleOrder } from "@mantine/core";
import type { ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";

import classes from "./markdown-body.module.css";

const LEVELS = [1, 2, 3, 4, 5, 6] as const;

/** The source's highest heading, as a level. */
function highestHeading(source: string): number {
  const marks = [...source.matchAll(/^(#{1,6})\s/gm)].map((match) => match[1]?.length ?? 1);
  return marks.length > 0 ? Math.min(...marks) : 1;
}

function headings(shift: number): Components {
  const components: Components = {};
  for (const level of LEVELS) {
    const order = Math.max(2, Math.min(6, level + shift)) as TitleOrder;
    components[`h${level}`] = ({ children }: { children?: ReactNode }) => (
      <Title order={order} size={order < 4 ? "h4" : "h5"} dir="auto">
        {children}
      </Title>
    );
  }
  return components;
}

/** Each block goes by its own first letter: instructions quote other languages. */
const elements: Components = {
  p: ({ children }) => <p dir="auto">{children}</p>,
  li: ({ children }) => <li dir="auto">{children}</li>,
  a: ({ href, children }) => (
    <Anchor href={href} target="_blank" rel="noopener noreferrer nofollow" underline="always">
      {children}
    </Anchor>
  ),
  // A picture elsewhere would tell its host who reads this.
  img: ({ alt }) => <em>{alt}</em>,
  table: ({ children }) => (
    <Table.ScrollContainer minWidth={280}>
      <Table withRowBorders>{children}</Table>
    </Table.ScrollContainer>
  ),
  thead: ({ children }) => <Table.Thead>{children}</Table.Thead>,
  tbody: ({ children }) => <Table.Tbody>{children}</Table.Tbody>,
  tr: ({ children }) => <Table.Tr>{children}</Table.Tr>,
  th: ({ children }) => <Table.Th dir="auto">{children}</Table.Th>,
  td: ({ children }) => <Table.Td dir="auto">{children}</Table.Td>,
};

interface MarkdownBodyProps {
  children: string;
  topHeading: number;
}

/** The renderer itself; use `Markdown`, which loads it when it is needed. */
export function MarkdownBody({ children, topHeading }: MarkdownBodyProps) {
  const components = { ...elements, ...headings(topHeading - highestHeading(children)) };
  return (
    <div className={classes.body}>
      <ReactMarkdown skipHtml remarkPlugins={[remarkGfm]} components={components}>
        {children}
      </ReactMarkdown>
    </div>
  );
}
