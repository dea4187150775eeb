import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { AnchorLink } from "../../components/ui/links";
import { Empty, QueryView } from "../../components/ui/states";
import { HistoryPlot } from "./history-plot";
import { hasCourse } from "./history-rules";
import { HistoryTable } from "./history-table";
import { historyQuery } from "./queries";

interface HistoryViewProps {
  slug: string;
  /** An owner is told how a static set comes to stand beside the rounds. */
  isOwner?: boolean;
  /** Which lines the address asks for; undefined for the usual ones. */
  drawn: string | undefined;
  onDraw: (drawn: string | undefined) => void;
}

/** Every model on every round and static set, and how far each is from saturated. */
export function HistoryView({ slug, isOwner = false, drawn, onDraw }: HistoryViewProps) {
  const { t } = useTranslation("boards");
  const history = useQuery(historyQuery(slug));
  return (
    <QueryView
      query={history}
      isEmpty={({ columns }) => columns.length === 0}
      empty={<Empty title={t("history.none")}>{isOwner && t("history.noneNext")}</Empty>}
    >
      {(found) => (
        <Stack gap="lg">
          <HistoryTable slug={slug} history={found} />
          {isOwner && found.columns.every(({ kind }) => kind === "round") && (
            <Text size="sm" c="dimmed">
              {t("history.noStatic")}{" "}
              <AnchorLink to="/tasks/$slug/owner/datasets" params={{ slug }}>
                {t("history.addStatic")}
              </AnchorLink>
            </Text>
          )}
          {hasCourse(found) && <HistoryPlot history={found} asked={drawn} onDraw={onDraw} />}
        </Stack>
      )}
    </QueryView>
  );
}
