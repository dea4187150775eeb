import { Button, Group, Text, Tooltip } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { DataTable } from "../../components/ui/data-table";
import type { Schemas } from "../../lib/api-client";
import { formatDate } from "../../lib/format";
import classes from "./rounds.module.css";

/** From here on the numbers would touch each other. */
const MOST_NUMBERED = 14;

type Day = Schemas["DayCount"];

/** Attempts per day with those that fooled inside them; the table is one click away. */
export function DayBars({ days }: { days: readonly Day[] }) {
  const { t, i18n } = useTranslation(["rounds", "ui"]);
  const [isTable, setTable] = useState(false);
  const most = Math.max(1, ...days.map(({ collected }) => collected));
  const share = (count: number) => `${(100 * count) / most}%`;
  const date = ({ day }: Day) => formatDate(`${day}T12:00:00`, i18n.language);
  const [first] = days;
  const last = days.at(-1);
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Group gap="sm" c="dimmed" fz="sm">
          <span>
            <span className={classes.key} style={{ background: "var(--db-rule)" }} />
            {t("days.collected")}
          </span>
          <span>
            <span className={classes.key} style={{ background: "var(--db-bar)" }} />
            {t("days.fooled")}
          </span>
        </Group>
        <Button size="compact-sm" variant="default" onClick={() => setTable(!isTable)}>
          {isTable ? t("trend.asChart", { ns: "ui" }) : t("trend.asTable", { ns: "ui" })}
        </Button>
      </Group>
      {isTable ? (
        <DataTable
          caption={t("days.title")}
          rows={days}
          rowKey={({ day }) => day}
          columns={[
            { key: "day", header: t("days.day"), cell: date },
            {
              key: "collected",
              header: t("days.collected"),
              isNumber: true,
              cell: ({ collected }) => collected,
            },
            { key: "fooled", header: t("days.fooled"), isNumber: true, cell: (day) => day.fooled },
            {
              key: "verified",
              header: t("days.verified"),
              isNumber: true,
              cell: (day) => day.verified_fooled,
            },
          ]}
        />
      ) : (
        <>
          <ol className={classes.days} aria-label={t("days.title")}>
            {days.map((day) => (
              <Tooltip key={day.day} label={t("days.of", { date: date(day), ...day })}>
                <li className={classes.day} aria-label={t("days.of", { date: date(day), ...day })}>
                  {days.length <= MOST_NUMBERED && (
                    <span
                      className={classes.count}
                      style={{ insetBlockEnd: share(day.collected) }}
                      aria-hidden
                    >
                      {day.collected}
                    </span>
                  )}
                  <span className={classes.collected} style={{ height: share(day.collected) }} />
                  <span className={classes.fooled} style={{ height: share(day.fooled) }} />
                </li>
              </Tooltip>
            ))}
          </ol>
          {first !== undefined && last !== undefined && (
            <Group justify="space-between" mt={4}>
              <Text size="sm" c="dimmed">
                {date(first)}
              </Text>
              {days.length > 1 && (
                <Text size="sm" c="dimmed">
                  {date(last)}
                </Text>
              )}
            </Group>
          )}
        </>
      )}
    </div>
  );
}
