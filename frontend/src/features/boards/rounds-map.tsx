import { Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";

import { QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import classes from "./boards.module.css";
import { FigureCell } from "./figure-cell";
import { rangeOf, writeFigure } from "./figures";
import { ModelName } from "./model-name";
import { boardRoundsQuery } from "./queries";

type Rounds = Schemas["RoundBoardRead"];

interface RoundsMapProps {
  slug: string;
  /** Which models were the targets of a round: it was written against them. */
  targets: (roundNumber: number) => ReadonlySet<string>;
}

/** Every model on every released round; a darker cell is a higher score. */
export function RoundsMap({ slug, targets }: RoundsMapProps) {
  const { t } = useTranslation("boards");
  const rounds = useQuery(boardRoundsQuery(slug));
  return (
    <QueryView
      query={rounds}
      isEmpty={(found) => found.rounds.length === 0 || found.rows.length === 0}
      empty={<Text c="dimmed">{t("rounds.none")}</Text>}
    >
      {(found) => <Map slug={slug} found={found} targets={targets} />}
    </QueryView>
  );
}

function Map({ slug, found, targets }: RoundsMapProps & { found: Rounds }) {
  const { t, i18n } = useTranslation("boards");
  const id = useId();
  const [from, to] = rangeOf(found.rows.flatMap(({ figures }) => figures));
  const heat = (value: number) => ((value - from) / (to - from)).toFixed(2);
  return (
    <div>
      <Text id={id} size="sm" c="dimmed" mb={4}>
        {t("rounds.caption", { metric: found.metric.replaceAll("_", " ") })}
      </Text>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls sideways. */}
      <div className={classes.scroll} role="region" aria-labelledby={id} tabIndex={0}>
        <Table aria-labelledby={id} className={classes.heat}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t("table.model")}</Table.Th>
              {found.rounds.map((round) => (
                <Table.Th key={round.version_id} scope="col" ta="end">
                  {t("rounds.round", { number: round.round_number })}
                  <div className={classes.small}>{t("table.items", { count: round.items })}</div>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {found.rows.map(({ model, figures }) => (
              <Table.Tr key={model.id}>
                <Table.Th scope="row" fw={400}>
                  <ModelName slug={slug} model={model} />
                </Table.Th>
                {found.rounds.map((round, place) => {
                  const figure = figures[place] ?? null;
                  const isTarget = targets(round.round_number).has(model.id);
                  return (
                    <Table.Td
                      key={round.version_id}
                      ta="end"
                      data-target={isTarget}
                      {...(figure?.value != null && {
                        "data-heat": true,
                        style: { "--heat": heat(figure.value) },
                      })}
                    >
                      <FigureCell figure={figure} unit="points" />
                      {isTarget && <div className={classes.small}>{t("rounds.target")}</div>}
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th scope="row">{t("humans.name")}</Table.Th>
              {found.rounds.map(({ version_id: version, humans }) => (
                <Table.Td key={version} ta="end" title={humans?.reason ?? undefined}>
                  <FigureCell figure={humans} unit="points" />
                </Table.Td>
              ))}
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">{t("humans.gap")}</Table.Th>
              {found.rounds.map(({ version_id: version, gap }) => (
                <Table.Td key={version} ta="end">
                  {writeFigure(gap, "points", i18n.language)}
                </Table.Td>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      </div>
      <Text size="sm" c="dimmed" mt="xs">
        {t("rounds.biased")}
      </Text>
    </div>
  );
}
