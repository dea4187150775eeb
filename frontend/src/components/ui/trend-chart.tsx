import { Button, Group, Skeleton, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";

import { formatRate } from "../../lib/format";
import { DataTable } from "./data-table";
import classes from "./trend-chart.module.css";
import type { TrendPoint } from "./trend-plot";

const TrendPlot = lazy(async () => {
  const { TrendPlot: component } = await import("./trend-plot");
  return { default: component };
});

interface TrendChartProps {
  title: string;
  /** What the horizontal axis counts, such as "Round". */
  axis: string;
  /** The series in the order they are drawn: key and name; four at most. */
  series: readonly { key: string; name: string }[];
  points: readonly TrendPoint[];
}

export const TREND_HEIGHT = 260;

/** Rates over rounds or days with their intervals as bands; the table is one click away. */
export function TrendChart({ title, axis, series, points }: TrendChartProps) {
  const { t, i18n } = useTranslation();
  const [isTable, setTable] = useState(false);
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={8}>
        <Text fw={600}>{title}</Text>
        <Button size="compact-sm" variant="default" onClick={() => setTable(!isTable)}>
          {isTable ? t("trend.asChart") : t("trend.asTable")}
        </Button>
      </Group>
      {isTable ? (
        <DataTable
          caption={title}
          rows={points}
          rowKey={(point) => point.label}
          columns={[
            { key: "label", header: axis, cell: (point) => point.label },
            ...series.map(({ key, name }) => ({
              key,
              header: name,
              isNumber: true,
              cell: ({ rates }: TrendPoint) => {
                const rate = rates[key] ?? null;
                return rate === null ? "–" : formatRate(rate, i18n.language, t("rate.to"));
              },
            })),
          ]}
        />
      ) : (
        <Suspense fallback={<Skeleton height={TREND_HEIGHT} />}>
          {series.length > 1 && (
            <Group component="ul" className={classes.names} gap="sm">
              {series.map(({ key, name }, index) => (
                <li key={key} style={{ color: `var(--db-series-${index + 1})` }}>
                  {name}
                </li>
              ))}
            </Group>
          )}
          <TrendPlot axis={axis} series={series} points={points} height={TREND_HEIGHT} />
        </Suspense>
      )}
    </section>
  );
}
