import { Button, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { useProblemText } from "./problem-text";
import classes from "./states.module.css";

/** Grey lines where text will be; a screen reader hears that it is loading. */
export function Loading({ lines = 3 }: { lines?: number }) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs" role="status">
      <VisuallyHidden>{t("loading")}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={16} width={line === lines - 1 ? "60%" : "100%"} aria-hidden />
      ))}
    </Stack>
  );
}

interface EmptyProps {
  title: string;
  /** What to do next, in words. */
  children?: ReactNode;
  /** The next thing to do, as a button or link. */
  action?: ReactNode;
}

/** Nothing is there, which is no fault: says so and what to do next. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <Stack className={classes.panel} gap="xs" align="flex-start">
      <Text fw={600}>{title}</Text>
      {children !== undefined && <Text component="div">{children}</Text>}
      {action}
    </Stack>
  );
}

interface FailedProps {
  error: unknown;
  title?: string;
  onRetry?: () => void;
}

/** Something did not work: what happened, the request to name when asking, and a way to retry. */
export function Failed({ error, title, onRetry }: FailedProps) {
  const { t } = useTranslation();
  const problem = useProblemText(error);
  return (
    <Stack className={classes.failed} gap="xs" align="flex-start" role="alert">
      <Title order={2} size="h4">
        {title ?? t("failed.title")}
      </Title>
      <Text lang={problem.lang}>{problem.sentence}</Text>
      <Group gap="sm">
        {onRetry !== undefined && <Button onClick={onRetry}>{t("retry")}</Button>}
        {problem.requestId !== null && (
          <Text size="sm" c="dimmed">
            {t("failed.requestId", { id: problem.requestId })}
          </Text>
        )}
      </Group>
    </Stack>
  );
}

interface QueryViewProps<Data> {
  query: UseQueryResult<Data>;
  loading?: ReactNode;
  isEmpty?: (data: Data) => boolean;
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** The four states of everything that is fetched. Data once shown stays while it is refetched. */
export function QueryView<Data>({
  query,
  loading,
  isEmpty,
  empty,
  children,
}: QueryViewProps<Data>) {
  if (query.data !== undefined) {
    return isEmpty?.(query.data) === true ? empty : children(query.data);
  }
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return loading ?? <Loading />;
}
