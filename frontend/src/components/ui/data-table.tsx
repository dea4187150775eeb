import { Table, Text, UnstyledButton } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";

import classes from "./data-table.module.css";

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the end of their column. */
  isNumber?: boolean;
  /** Sentences may wrap; everything else stands on one line, and the table scrolls. */
  isProse?: boolean;
  /** What to sort by; a column without it cannot be sorted. Null comes last either way. */
  sortBy?: (row: Row) => number | string | null;
}

interface DataTableProps<Row> {
  /** What the table lists; read out, and shown above it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

interface Sorting {
  column: string;
  direction: "ascending" | "descending";
}

function compare(one: number | string | null, other: number | string | null): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other));
}

function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], by: Sorting | null) {
  const value = columns.find((column) => column.key === by?.column)?.sortBy;
  if (by === null || value === undefined) return rows;
  const sign = by.direction === "ascending" ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [first, second] = [value(one), value(other)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * compare(first, second);
  });
}

/** A table of one page of rows; headers that can sort are buttons, and it scrolls sideways. */
export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  const { t } = useTranslation();
  const id = useId();
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const toggle = (column: string) => {
    const wasDescending = sorting?.column === column && sorting.direction === "descending";
    setSorting({ column, direction: wasDescending ? "ascending" : "descending" });
  };
  return (
    <div>
      <Text id={id} size="sm" c="dimmed" mb={4}>
        {caption}
      </Text>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls sideways. */}
      <div className={classes.scroll} role="region" aria-labelledby={id} tabIndex={0}>
        <Table aria-labelledby={id} verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th
                  key={column.key}
                  scope="col"
                  ta={column.isNumber === true ? "end" : "start"}
                  {...(sorting?.column === column.key ? { "aria-sort": sorting.direction } : {})}
                >
                  {column.sortBy === undefined ? (
                    column.header
                  ) : (
                    <UnstyledButton
                      className={classes.sort}
                      onClick={() => toggle(column.key)}
                      title={t("table.sortBy", { column: column.header })}
                    >
                      {column.header}
                      <span aria-hidden> {arrow(sorting, column.key)}</span>
                    </UnstyledButton>
                  )}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sorted(rows, columns, sorting).map((row) => (
              <Table.Tr key={rowKey(row)}>
                {columns.map((column) => (
                  <Table.Td
                    key={column.key}
                    ta={column.isNumber === true ? "end" : "start"}
                    data-prose={column.isProse}
                  >
                    {column.cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {rows.length === 0 && <Text c="dimmed">{t("table.none")}</Text>}
      </div>
    </div>
  );
}

function arrow(sorting: Sorting | null, column: string): string {
  if (sorting?.column !== column) return "↕";
  return sorting.direction === "ascending" ? "↑" : "↓";
}
