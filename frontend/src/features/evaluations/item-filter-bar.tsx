import { Group, NativeSelect, SegmentedControl, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { SearchField } from "../../components/ui/search-field";
import { type ItemFilters, OUTCOMES, type ScoredSplit, SPLITS } from "./item-search";

interface ItemFilterBarProps {
  filters: ItemFilters;
  /** The splits that were asked. */
  splits: readonly ScoredSplit[];
  tags: readonly string[];
  onChange: (change: { [Key in keyof ItemFilters]?: ItemFilters[Key] | undefined }) => void;
}

/** The choice among an evaluation's items; it stands in the address, so that it can be shared. */
export function ItemFilterBar({ filters, splits, tags, onChange }: ItemFilterBarProps) {
  const { t } = useTranslation("evaluations");
  const all = { value: "", label: t("filter.all") };
  const known =
    filters.tag === undefined || tags.includes(filters.tag) ? tags : [filters.tag, ...tags];
  return (
    <Stack gap="sm" role="search" aria-label={t("filter.label")}>
      <SegmentedControl
        aria-label={t("filter.outcome")}
        value={filters.outcome ?? ""}
        onChange={(value) => onChange({ outcome: OUTCOMES.find((one) => one === value) })}
        data={[all, ...OUTCOMES.map((value) => ({ value, label: t(`outcome.${value}`) }))]}
        style={{ alignSelf: "flex-start", maxWidth: "100%" }}
      />
      <Group gap="xs" align="flex-end">
        <SearchField
          // Cleared or changed from elsewhere, the field begins anew.
          key={filters.search ?? ""}
          label={t("filter.search")}
          flex="1 1 16rem"
          search={filters.search ?? ""}
          onSearch={(search) => onChange({ search })}
        />
        {tags.length > 0 && (
          <NativeSelect
            label={t("filter.tag")}
            data={[all, ...known.map((value) => ({ value, label: value }))]}
            value={filters.tag ?? ""}
            onChange={(event) => onChange({ tag: event.currentTarget.value })}
          />
        )}
        {splits.length > 1 && (
          <NativeSelect
            label={t("filter.split")}
            data={splits.map((value) => ({ value, label: t(`split.${value}`) }))}
            value={filters.split ?? "test"}
            onChange={({ currentTarget: { value } }) =>
              onChange({ split: SPLITS.find((one) => one === value) })
            }
          />
        )}
      </Group>
    </Stack>
  );
}
