import { useTranslation } from "react-i18next";

import type { Schemas } from "../../lib/api-client";
import { formatDate, formatDateTime, formatNumber, formatPercent } from "../../lib/format";
import { type IntervalPoint, IntervalPlot } from "../../shared/plots/interval-plot";
import classes from "./live.module.css";
import type { Numbers } from "./queries";

/** Counts go up to 5 at least, so that no tick stands between two of them. */
const COUNTS: [number, number] = [0, 5];

/** A round's curves: error rates so far, attempts by hour, what waited by day. */
export function LivePlots({ numbers }: { numbers: Numbers }) {
  const { t, i18n } = useTranslation("live");
  const language = i18n.language;
  const day = (moment: number) => formatDate(new Date(moment).toISOString(), language);
  const count = (value: number) => formatNumber(value, language);
  return (
    <div className={classes.plots}>
      <IntervalPlot
        title={t("curve.title")}
        note={t("curve.note")}
        kind="lines"
        xTitle={t("curve.day")}
        yTitle={t("curve.rate")}
        within={[0, null]}
        formatX={day}
        formatY={(share) => formatPercent(share, language)}
        empty={t("curve.empty")}
        series={[
          {
            name: t("fooled.short"),
            points: numbers.curve.map((point) => ratePoint(point.day, point.model_error_rate, day)),
          },
          {
            name: t("validated.short"),
            points: numbers.curve.map((point) =>
              ratePoint(point.day, point.validated_model_error_rate, day),
            ),
          },
        ]}
      />
      {numbers.collection !== null && (
        <IntervalPlot
          title={t("hours.title")}
          kind="lines"
          xTitle={t("hours.hour")}
          yTitle={t("hours.attempts")}
          within={COUNTS}
          formatX={(moment) => hourOf(moment, language)}
          formatY={count}
          series={[
            {
              name: t("hours.attempts"),
              points: numbers.collection.hours.map(({ starts_at: starts, attempts }) =>
                countPoint(new Date(starts).getTime(), attempts, formatDateTime(starts, language)),
              ),
            },
          ]}
        />
      )}
      {numbers.backlog.days.length > 0 && (
        <IntervalPlot
          title={t("backlog.plot")}
          kind="lines"
          xTitle={t("curve.day")}
          yTitle={t("backlog.title")}
          within={COUNTS}
          formatX={day}
          formatY={count}
          series={[
            {
              name: t("backlog.title"),
              points: numbers.backlog.days.map((one) =>
                countPoint(noonOf(one.day), one.waiting, day(noonOf(one.day))),
              ),
            },
          ]}
        />
      )}
    </div>
  );
}

/** A day has no time zone; noon keeps it the same day in nearly all of them. */
function noonOf(day: string): number {
  return new Date(`${day}T12:00:00`).getTime();
}

function hourOf(moment: number, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(new Date(moment));
}

function ratePoint(
  day: string,
  rate: Schemas["RateRead"],
  write: (moment: number) => string,
): IntervalPoint {
  const x = noonOf(day);
  return { x, y: rate.value, low: rate.low, high: rate.high, label: write(x) };
}

function countPoint(x: number, y: number, label: string): IntervalPoint {
  return { x, y, low: null, high: null, label };
}
