import { Table } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { Said } from "../../components/ui/said";
import type { Schemas } from "../../lib/api-client";
import { saidOf } from "../../lib/i18n/told";
import classes from "./boards.module.css";
import { FigureCell } from "./figure-cell";
import type { MetricColumn } from "./queries";

interface HumanFootProps {
  humans: Schemas["HumanRow"];
  columns: readonly MetricColumn[];
  /** The columns of single datasets, where the board shows them. */
  datasets: readonly Schemas["DatasetColumnRead"][];
}

/** Why it is not known how people do on a dataset. */
export function whyUnknown(
  humans: Schemas["HumanFigureRead"] | null | undefined,
): string | undefined {
  return humans?.reason ? saidOf(humans.reason, humans.reason_told) : undefined;
}

/** How people do, beside the models and without a rank; where it is not known, why not. */
export function HumanFoot({ humans, columns, datasets }: HumanFootProps) {
  const { t } = useTranslation("boards");
  const known = new Map(humans.datasets.map((one) => [one.key, one]));
  return (
    <Table.Tfoot>
      <Table.Tr>
        <Table.Td ta="end">–</Table.Td>
        <Table.Th scope="row">
          <div className={classes.model}>
            {t("humans.name")}
            <div className={classes.small}>
              {humans.reason === null ? (
                t("humans.unranked")
              ) : (
                <Said sentence={humans.reason} told={humans.reason_told} />
              )}
            </div>
          </div>
        </Table.Th>
        <Table.Td ta="end">–</Table.Td>
        {columns.map((column) => (
          <Table.Td key={column.name} ta="end">
            {column.is_principal ? <FigureCell figure={humans.figure} unit="points" /> : "–"}
          </Table.Td>
        ))}
        {datasets.map(({ key }) => (
          <Table.Td key={key} ta="end" title={whyUnknown(known.get(key))}>
            <FigureCell figure={known.get(key)} unit="points" />
          </Table.Td>
        ))}
      </Table.Tr>
    </Table.Tfoot>
  );
}
