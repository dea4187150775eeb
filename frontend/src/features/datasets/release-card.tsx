import { List, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

import { type Column, DataTable } from "../../components/ui/data-table";
import { Said } from "../../components/ui/said";
import {
  formatDuration,
  formatNumber,
  formatPercent,
  formatRate,
  type RateFigures,
} from "../../lib/format";
import { type CardSplit, readCard, type ReleaseCard } from "./card";
import classes from "./datasets.module.css";
import type { DatasetVersion } from "./queries";

const COUNTED = ["items", "fooling", "verified", "contexts", "annotators"] as const;

/** What a release holds and how it came about, in the numbers of its card. */
export function ReleaseCardView({ version }: { version: DatasetVersion }) {
  const { t, i18n } = useTranslation("datasets");
  const card = readCard(version);
  const number = (value: number) => formatNumber(value, i18n.language);
  const columns: Column<CardSplit>[] = [
    { key: "split", header: t("card.split"), cell: ({ split }) => split },
    ...COUNTED.map((key) => ({
      key,
      header: t(`card.${key}`),
      isNumber: true,
      cell: ({ counts }: CardSplit) => formatNumber(counts.get(key) ?? null, i18n.language),
    })),
    {
      key: "labels",
      header: t("card.labels"),
      isProse: true,
      cell: ({ labels }) =>
        labels === null
          ? t("card.keptBack")
          : labels.map(([label, count]) => `${label} ${number(count)}`).join(", ") || "–",
    },
  ];
  const leftOut = card.excluded.filter(([, count]) => count > 0);
  return (
    <Stack gap="sm">
      <DataTable
        caption={t("card.caption", { count: card.stored })}
        columns={columns}
        rows={card.splits}
        rowKey={({ split }) => split}
      />
      {leftOut.length > 0 && (
        <Text size="sm">
          {t("card.leftOut", {
            list: leftOut
              .map(([reason, count]) => t(`card.reason.${reason as "retracted"}`, { count }))
              .join(", "),
          })}
        </Text>
      )}
      <Facts card={card} />
      {card.notes.length > 0 && (
        <div>
          <Title order={3} size="h5">
            {t("card.notes")}
          </Title>
          <List size="sm" spacing={2}>
            {card.notes.map((note) => (
              <List.Item key={note}>
                <Said sentence={note} told={card.told?.[note]} />
              </List.Item>
            ))}
          </List>
        </div>
      )}
      <EarlierErrata card={card} />
    </Stack>
  );
}

function Facts({ card }: { card: ReleaseCard }) {
  const { t, i18n } = useTranslation("datasets");
  const language = i18n.language;
  const rate = (found: RateFigures) =>
    t("card.rate", {
      rate: formatRate(found, language, t("card.to")),
      part: found.part,
      whole: found.whole,
    });
  const { alpha, unanimous, annotators, topShare, testOnly, seconds } = card;
  const { inputsAlone, commonest, targets, devShare, testShare, seed, canary } = card;
  const facts: [string, ReactNode][] = [
    [t("card.validatedRate"), card.validatedRate && rate(card.validatedRate)],
    [t("card.errorRate"), card.rate && rate(card.rate)],
    [t("card.targets"), targets.join(", ") || null],
    [
      t("card.agreement"),
      [
        alpha === null ? null : t("card.alpha", { alpha: formatNumber(alpha, language, 2) }),
        unanimous && t("card.unanimous", { rate: rate(unanimous) }),
      ]
        .filter((part) => part !== null)
        .join("; ") || null,
    ],
    [
      t("card.writers"),
      annotators === null
        ? null
        : [
            t("card.people", { count: annotators }),
            topShare === null || annotators === 1
              ? null
              : t("card.busiest", { share: formatPercent(topShare, language) }),
            testOnly && t("card.testOnly", { ...testOnly, count: testOnly.annotators }),
          ]
            .filter((part) => part !== null)
            .join("; "),
    ],
    [
      t("card.time"),
      seconds &&
        [
          t("card.mean", { time: formatDuration(seconds.mean) }),
          seconds.median === null
            ? null
            : t("card.median", { time: formatDuration(seconds.median) }),
        ]
          .filter((part) => part !== null)
          .join("; "),
    ],
    [t("card.inputsAlone"), inputsAlone && rate(inputsAlone)],
    [t("card.commonest"), commonest && rate(commonest)],
    [t("card.devShare"), devShare === null ? null : formatPercent(devShare, language)],
    [t("card.testShare"), testShare === null ? null : formatPercent(testShare, language)],
    [t("card.seed"), seed],
    [t("card.canary"), canary && <code className={classes.code}>{canary}</code>],
  ];
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** What experts found wrong in the releases before this one, as its card says. */
function EarlierErrata({ card }: { card: ReleaseCard }) {
  const { t } = useTranslation("datasets");
  const { errata } = card;
  if (errata === null) return null;
  return (
    <div>
      <Title order={3} size="h5">
        {t("errata.earlier")}
      </Title>
      <Text size="sm">{t("errata.looked", { count: errata.wrong, all: errata.lookedAt })}</Text>
      {errata.items.length > 0 && (
        <DataTable
          caption={t("errata.caption")}
          rows={errata.items}
          rowKey={({ release, uid }) => `${release} ${uid}`}
          columns={[
            { key: "release", header: t("errata.release"), cell: ({ release }) => release },
            { key: "split", header: t("card.split"), cell: ({ split }) => split },
            { key: "uid", header: t("errata.uid"), cell: ({ uid }) => <code>{uid}</code> },
            { key: "said", header: t("errata.said"), cell: () => t("errata.wrong") },
          ]}
        />
      )}
    </div>
  );
}
