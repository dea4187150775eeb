import { Button, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

import { Empty } from "../../components/ui/states";

interface NoContextLeftProps {
  slug: string;
  /** All done, or none uploaded yet. */
  sentence: string;
  onRetry: () => void;
}

/** Everything was written about, or nothing is there to write about. */
export function NoContextLeft({ slug, sentence, onRetry }: NoContextLeftProps) {
  const { t } = useTranslation("compose");
  return (
    <Empty
      title={sentence}
      action={
        <Group gap="xs">
          <Button component={Link} to={`/tasks/${slug}/validate`}>
            {t("none.validate")}
          </Button>
          <Button variant="default" onClick={onRetry}>
            {t("none.retry")}
          </Button>
        </Group>
      }
    >
      {t("none.next")}
    </Empty>
  );
}
