import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import { formatDate } from "../../lib/format";
import { daysQuery } from "./queries";
import classes from "./task-sections.module.css";

/** How many examples came in on each day, and how many of them fooled. */
export function DaySection({ roundId }: { roundId: string }) {
  const { t } = useTranslation("tasks");
  const days = useQuery(daysQuery(roundId));
  return (
    <QueryView
      query={days}
      isEmpty={(list) => list.length === 0}
      empty={<Text c="dimmed">{t("days.none")}</Text>}
    >
      {(list) => <Days days={list} />}
    </QueryView>
  );
}

type Day = Schemas["DayCount"];

function Days({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation("tasks");
  const [isTable, setTable] = useState(false);
  const most = Math.max(...days.map((day) => day.collected));
  return (
    <>
      <Group gap="md" mb="xs">
        <Text size="sm">
          <span className={classes.key} data-fooled="true" />
          {t("days.fooled")}
        </Text>
        <Text size="sm">
          <span className={classes.key} />
          {t("days.notFooled")}
        </Text>
        <Text size="sm" c="dimmed">
          {t("days.most", { count: most })}
        </Text>
      </Group>
      <DayPlot days={days} most={most} />
      <Button
        mt="xs"
        size="compact-sm"
        variant="default"
        aria-expanded={isTable}
        onClick={() => setTable(!isTable)}
      >
        {t("days.table")}
      </Button>
      {isTable && <DayTable days={days} />}
    </>
  );
}

const HEIGHT = 100;
const COLUMN = 10;
const GAP = 2;
/** A few days do not make a plot of a few beams. */
const FEWEST_COLUMNS = 14;

function DayPlot({ days, most }: { days: readonly Day[]; most: number }) {
  const { t, i18n } = useTranslation("tasks");
  const first = formatDate(days[0]?.day ?? "", i18n.language);
  const last = formatDate(days.at(-1)?.day ?? "", i18n.language);
  const width = Math.max(days.length, FEWEST_COLUMNS) * COLUMN;
  const height = (count: number) => (most === 0 ? 0 : (count / most) * HEIGHT);
  return (
    <>
      <svg
        className={classes.plot}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t("days.plot", { first, last, most })}
      >
        {days.map(({ day, collected, fooled }, index) => (
          <g key={day}>
            {(["collected", "fooled"] as const).map((part) => {
              const tall = height(part === "fooled" ? fooled : collected);
              return (
                <rect
                  key={part}
                  className={classes[part]}
                  x={index * COLUMN + GAP / 2}
                  y={HEIGHT - tall}
                  width={COLUMN - GAP}
                  height={tall}
                />
              );
            })}
          </g>
        ))}
        <line className={classes.base} x1="0" x2={width} y1={HEIGHT} y2={HEIGHT} />
      </svg>
      <div className={classes.ends}>
        <Text size="sm" c="dimmed">
          {first}
        </Text>
        {days.length >= FEWEST_COLUMNS && (
          <Text size="sm" c="dimmed">
            {last}
          </Text>
        )}
      </div>
    </>
  );
}

function DayTable({ days }: { days: readonly Day[] }) {
  const { t, i18n } = useTranslation("tasks");
  const counts = [
    ["collected", t("days.collected")],
    ["fooled", t("days.fooledColumn")],
    ["verified_fooled", t("days.confirmed")],
  ] as const;
  return (
    <DataTable
      caption={t("page.days")}
      rows={days.toReversed()}
      rowKey={({ day }) => day}
      columns={[
        { key: "day", header: t("days.day"), cell: ({ day }) => formatDate(day, i18n.language) },
        ...counts.map(([key, header]) => ({
          key,
          header,
          isNumber: true,
          cell: (day: Day) => day[key],
          sortBy: (day: Day) => day[key],
        })),
      ]}
    />
  );
}
