import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import type { Schemas } from "../../lib/api-client";
import { STATUSES, type TaskFilter } from "./task-filter";
import classes from "./task-list.module.css";

interface FilterBarProps {
  tasks: readonly Schemas["TaskSummary"][];
  filter: TaskFilter;
  onFilter: (filter: TaskFilter) => void;
}

/** Search in the list, and by status where there are several. */
export function FilterBar({ tasks, filter, onFilter }: FilterBarProps) {
  const { t } = useTranslation("tasks");
  const present = STATUSES.filter((status) => tasks.some((task) => task.status === status));
  const { search = "", status } = filter;
  // What is typed stands here at once; the address follows.
  const [typed, setTyped] = useState(search);
  return (
    <div className={classes.filters} role="search">
      <TextInput
        type="search"
        label={t("filter.search")}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          onFilter({
            ...(value === "" ? {} : { search: value }),
            ...(status === undefined ? {} : { status }),
          });
        }}
      />
      {present.length > 1 && (
        <NativeSelect
          label={t("filter.status")}
          value={status ?? ""}
          data={[
            { value: "", label: t("filter.anyStatus") },
            ...present.map((one) => ({ value: one, label: t(`filter.${one}`) })),
          ]}
          onChange={({ currentTarget: { value } }) => {
            const chosen = STATUSES.find((one) => one === value);
            onFilter({
              ...(typed === "" ? {} : { search: typed }),
              ...(chosen === undefined ? {} : { status: chosen }),
            });
          }}
        />
      )}
    </div>
  );
}
