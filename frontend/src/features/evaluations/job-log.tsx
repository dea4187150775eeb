import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { QueryView } from "../../components/ui/states";
import classes from "./evaluations.module.css";
import { jobLogQuery } from "./queries";

/** What scoring wrote down; fetched once it is asked for. */
export function JobLog({ jobId }: { jobId: string }) {
  const { t } = useTranslation("evaluations");
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
      <div id={id}>{isOpen && <Lines jobId={jobId} />}</div>
    </div>
  );
}

function Lines({ jobId }: { jobId: string }) {
  const { t } = useTranslation("evaluations");
  const log = useQuery(jobLogQuery(jobId));
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
