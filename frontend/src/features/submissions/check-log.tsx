import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { QueryView } from "../../components/ui/states";
import { checkLogQuery } from "./queries";
import classes from "./submissions.module.css";

interface CheckLogProps {
  modelId: string;
  isGoingOn: boolean;
}

/** What a model's check wrote down; fetched once it is asked for. */
export function CheckLog({ modelId, isGoingOn }: CheckLogProps) {
  const { t } = useTranslation("submissions");
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
        {t(isOpen ? "log.hide" : "log.show")}
      </Button>
      <div id={id}>{isOpen && <Lines modelId={modelId} isGoingOn={isGoingOn} />}</div>
    </div>
  );
}

function Lines({ modelId, isGoingOn }: CheckLogProps) {
  const { t } = useTranslation("submissions");
  const log = useQuery(checkLogQuery(modelId, isGoingOn));
  return (
    <QueryView
      query={log}
      isEmpty={(lines) => lines.length === 0}
      empty={
        <Text size="sm" c="dimmed" mt="xs">
          {t("log.none")}
        </Text>
      }
    >
      {(lines) => (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls.
        <pre className={classes.log} tabIndex={0} aria-label={t("log.label")}>
          {lines.join("\n")}
        </pre>
      )}
    </QueryView>
  );
}
