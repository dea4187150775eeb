import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { SHOWN_AT_ONCE } from "./queries";

interface PageTurnerProps {
  /** Where the shown rows begin, and where the first ones do. */
  after: number;
  first: number;
  /** One row more than is shown was asked for, to tell whether any follow. */
  found: number;
  onTurn: (after: number) => void;
}

/** Steps through rows that are numbered, some at a time. */
export function PageTurner({ after, first, found, onTurn }: PageTurnerProps) {
  const { t } = useTranslation("datasets");
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        disabled={after <= first}
        onClick={() => onTurn(Math.max(first, after - SHOWN_AT_ONCE))}
      >
        {t("items.before")}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={found <= SHOWN_AT_ONCE}
        onClick={() => onTurn(after + SHOWN_AT_ONCE)}
      >
        {t("items.next")}
      </Button>
    </Group>
  );
}
