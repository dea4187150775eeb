import { useTranslation } from "react-i18next";

import { formatDate, formatNumber } from "../../lib/format";
import { useMetricTitle } from "../../lib/metric-titles";
import { IntervalPlot } from "../../shared/plots/interval-plot";
import { saturationOf } from "./history-rules";
import { columnName } from "./history-table";
import type { History } from "./queries";

/** The best score on each set over time, with people's level: a saturated set is flat below it. */
export function HistoryPlot({ history }: { history: History }) {
  const { t, i18n } = useTranslation("boards");
  const title = useMetricTitle();
  const language = i18n.language;
  const { drawn, isSome } = saturationOf(history);
  const date = (at: string) => formatDate(at, language);
  return (
    <IntervalPlot
      title={t("history.saturation.title")}
      note={`${t("history.saturation.note")}${isSome ? ` ${t("history.saturation.noteSome")}` : ""}`}
      kind="lines"
      xTitle={t("history.saturation.time")}
      yTitle={title(history.metric)}
      formatX={(at) => date(new Date(at).toISOString())}
      formatY={(value) => formatNumber(value, language, 1)}
      empty={t("history.saturation.empty")}
      series={drawn.map(({ column, records }) => ({
        name: columnName(column, t),
        points: records.map(({ submitted_at: at, model, figure }) => ({
          x: Date.parse(at),
          y: figure.value,
          low: figure.low,
          high: figure.high,
          label: t("history.saturation.point", { date: date(at), model }),
        })),
      }))}
      references={drawn.flatMap(({ column }) =>
        column.humans?.value == null
          ? []
          : [
              {
                value: column.humans.value,
                label: t("history.saturation.people", { name: columnName(column, t) }),
              },
            ],
      )}
    />
  );
}
