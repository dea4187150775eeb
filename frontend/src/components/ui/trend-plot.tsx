import "@mantine/charts/styles.css";

import { CompositeChart } from "@mantine/charts";
import { useReducedMotion } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { Area } from "recharts";

import { formatPercent, type RateFigures } from "../../lib/format";

/** One place on the horizontal axis with a rate per series; null where nothing was counted. */
export interface TrendPoint {
  label: string;
  rates: Readonly<Record<string, RateFigures | null>>;
}

interface TrendPlotProps {
  axis: string;
  series: readonly { key: string; name: string }[];
  points: readonly TrendPoint[];
  height: number;
}

/** The top of the axis: the highest end of an interval, up to the next full ten per cent. */
function highest(points: readonly TrendPoint[]): number {
  const ends = points.flatMap(({ rates }) =>
    Object.values(rates).map((rate) => rate?.high ?? rate?.value ?? 0),
  );
  return Math.min(1, Math.ceil(Math.max(0.1, ...ends) * 10) / 10);
}

/** The drawing itself, a chunk of its own because its library is large. */
export function TrendPlot({ axis, series, points, height }: TrendPlotProps) {
  const { i18n } = useTranslation();
  const isStill = useReducedMotion();
  const data = points.map(({ label, rates }) => {
    const row: Record<string, string | number | null | (number | null)[]> = { label };
    for (const { key } of series) {
      const rate = rates[key] ?? null;
      row[key] = rate?.value ?? null;
      row[`${key} interval`] = rate === null ? null : [rate.low, rate.high];
    }
    return row;
  });
  return (
    <CompositeChart
      h={height}
      data={data}
      dataKey="label"
      xAxisLabel={axis}
      series={series.map(({ key, name }, index) => ({
        name: key,
        label: name,
        type: "line",
        color: `var(--db-series-${index + 1})`,
      }))}
      curveType="linear"
      strokeWidth={1.5}
      xAxisProps={{ padding: { left: 16, right: 16 } }}
      yAxisProps={{ domain: [0, highest(points)], allowDataOverflow: true }}
      valueFormatter={(share) => formatPercent(share, i18n.language)}
      lineProps={{ isAnimationActive: !isStill }}
    >
      {series.map(({ key }, index) => (
        <Area
          key={key}
          dataKey={`${key} interval`}
          stroke="none"
          fill={`var(--db-series-${index + 1})`}
          fillOpacity={0.15}
          isAnimationActive={false}
          legendType="none"
          tooltipType="none"
        />
      ))}
    </CompositeChart>
  );
}
