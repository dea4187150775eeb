import { Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

import { usePageTitle } from "../../lib/page-focus";

interface PageHeaderProps {
  title: string;
  /** One line under the title. */
  subtitle?: ReactNode;
  /** Buttons and links at the end of the line. */
  actions?: ReactNode;
}

/** The page's one h1; sets the document title and takes the focus after a change of page. */
export function PageHeader({ title, subtitle, actions }: PageHeaderProps) {
  const heading = usePageTitle(title);
  return (
    <Group component="header" justify="space-between" align="flex-end" gap="sm" mb="md">
      <Stack gap={4}>
        <Title order={1} size="h2" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {subtitle !== undefined && (
          <Text component="div" c="dimmed">
            {subtitle}
          </Text>
        )}
      </Stack>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
