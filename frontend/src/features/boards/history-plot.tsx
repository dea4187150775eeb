import { useTranslation } from "react-i18next";

import { formatDate, formatDateTime, formatNumber, formatTime } from "../../lib/format";
import { useMetricTitle } from "../../lib/metric-titles";
import { IntervalPlot } from "../../shared/plots/interval-plot";
import { HistoryChoice } from "./history-choice";
import { drawnOf } from "./history-rules";
import { columnName } from "./history-table";
import type { History } from "./queries";

interface HistoryPlotProps {
  history: History;
  /** What the address says of the lines; undefined for the usual ones. */
  asked: string | undefined;
  onDraw: (asked: string | undefined) => void;
}

/** The best score on each set over time, with people's level: a saturated set is flat below it. */
export function HistoryPlot({ history, asked, onDraw }: HistoryPlotProps) {
  const { t, i18n } = useTranslation("boards");
  const title = useMetricTitle();
  const language = i18n.language;
  const drawn = drawnOf(history, asked);
  const moments = drawn.flatMap(({ records }) => records.map(({ submitted_at: at }) => at));
  const [day, ...others] = new Set(moments.map((at) => formatDate(at, language)));
  // Models of a single day are told apart by the time, under the name of the day.
  const isOneDay = day !== undefined && others.length === 0;
  const write = isOneDay ? formatTime : formatDate;
  return (
    <div>
      <IntervalPlot
        title={t("history.saturation.title")}
        note={t("history.saturation.note")}
        kind="lines"
        xTitle={isOneDay ? t("history.saturation.timeOn", { day }) : t("history.saturation.time")}
        yTitle={title(history.metric)}
        formatX={(at) => write(new Date(at).toISOString(), language)}
        formatY={(value) => formatNumber(value, language, 1)}
        empty={t("history.saturation.empty")}
        series={drawn.map(({ column, records }) => ({
          name: columnName(column, t),
          points: records.map(({ submitted_at: at, model, figure }) => ({
            x: Date.parse(at),
            y: figure.value,
            low: figure.low,
            high: figure.high,
            label: t("history.saturation.point", {
              date: (isOneDay ? formatDateTime : formatDate)(at, language),
              model,
            }),
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
      <HistoryChoice
        history={history}
        drawn={drawn}
        isUsual={asked === undefined}
        onDraw={onDraw}
      />
    </div>
  );
}
