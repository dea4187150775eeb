import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { FoldedLog, LogLines } from "../../components/ui/log";
import { jobLogQuery } from "./queries";

/** What scoring wrote down; fetched once it is asked for. */
export function JobLog({ jobId }: { jobId: string }) {
  const { t } = useTranslation("evaluations");
  return (
    <FoldedLog show={t("log.show")} hide={t("log.hide")}>
      <Lines jobId={jobId} />
    </FoldedLog>
  );
}

function Lines({ jobId }: { jobId: string }) {
  const { t } = useTranslation("evaluations");
  const log = useQuery(jobLogQuery(jobId));
  return <LogLines query={log} label={t("log.label")} none={t("log.none")} />;
}
