import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { FoldedLog, LogLines } from "../../components/ui/log";
import { checkLogQuery } from "./queries";

interface CheckLogProps {
  modelId: string;
  isGoingOn: boolean;
}

/** What a model's check wrote down; fetched once it is asked for. */
export function CheckLog(props: CheckLogProps) {
  const { t } = useTranslation("submissions");
  return (
    <FoldedLog show={t("log.show")} hide={t("log.hide")}>
      <Lines {...props} />
    </FoldedLog>
  );
}

function Lines({ modelId, isGoingOn }: CheckLogProps) {
  const { t } = useTranslation("submissions");
  const log = useQuery(checkLogQuery(modelId, isGoingOn));
  return <LogLines query={log} label={t("log.label")} none={t("log.none")} />;
}
