import { Anchor, Group, Modal, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { KeyButton } from "../../components/ui/key-button";
import { Markdown } from "../../components/ui/markdown";
import type { Schemas } from "../../lib/api-client";
import { inLanguage } from "../../lib/local-text";
import { usePageTitle } from "../../lib/page-focus";
import { type DrawnConfig } from "../../lib/task-config";
import { taskText } from "../../lib/task-text";
import classes from "./compose-header.module.css";
import { myProgressQuery } from "./queries";

interface ComposeHeaderProps {
  task: Schemas["TaskRead"];
  round: Schemas["RoundRead"];
  config: DrawnConfig;
}

/** One line: which task, round and target, what one has done, and the instructions. */
export function ComposeHeader({ task, round, config }: ComposeHeaderProps) {
  const { t, i18n } = useTranslation("compose");
  const { t: tUi } = useTranslation();
  const title = taskText(task, "title", i18n.language);
  const heading = usePageTitle(t("title", { task: title }));
  const [isOpen, setOpen] = useState(false);
  const instructions = inLanguage(config.instructions, i18n.language);
  const targets = round.targets.map(({ name, version }) =>
    t("answers.modelName", { name, version }),
  );
  const target =
    targets.length === 1 ? targets[0] : t("header.ensemble", { count: targets.length });
  return (
    <Group component="header" justify="space-between" className={classes.header}>
      <Group gap={8} className={classes.where}>
        <Title order={1} size="h4" ref={heading} tabIndex={-1}>
          <Anchor component={Link} to={`/tasks/${task.slug}`} inherit>
            {title}
          </Anchor>
        </Title>
        <Text c="dimmed" title={targets.length > 1 ? targets.join(", ") : undefined}>
          {t("header.round", { number: round.number, target })}
        </Text>
      </Group>
      <Group gap="sm" className={classes.done}>
        <Progress roundId={round.id} />
        {instructions !== "" && (
          <KeyButton keys="i" variant="default" size="compact-sm" onKey={() => setOpen(true)}>
            {t("header.instructions")}
          </KeyButton>
        )}
      </Group>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t("header.instructions")}
        size="lg"
        closeButtonProps={{ "aria-label": tUi("close") }}
      >
        <Markdown topHeading={3}>{instructions}</Markdown>
      </Modal>
    </Group>
  );
}

/** What the reader did in this round; nothing while that is not known. */
function Progress({ roundId }: { roundId: string }) {
  const { t } = useTranslation("compose");
  const { data } = useQuery(myProgressQuery(roundId));
  if (data === undefined) return null;
  const figures = [
    t("progress.tries", { count: data.tries }),
    t("progress.fooled", { count: data.fooled }),
    t("progress.confirmed", { count: data.verified_fooled }),
  ];
  return (
    <Text size="sm" title={t("progress.pending", { count: data.pending })}>
      {figures.join(" · ")}
    </Text>
  );
}
