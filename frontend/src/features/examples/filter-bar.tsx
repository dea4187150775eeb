import { Button, Group, NativeSelect, SimpleGrid, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { SearchField } from "../../components/ui/search-field";
import { formatNumber } from "../../lib/format";
import {
  AUTHOR_STATES,
  type ExampleFilters,
  type ExampleSearch,
  isRestricted,
  VERDICTS,
} from "./filters";

interface FilterBarProps {
  filters: ExampleFilters;
  /** Numbers of the task's rounds, newest first, and the one that is shown. */
  rounds: readonly number[];
  round: number;
  tags: readonly string[];
  annotators: readonly string[];
  /** How many examples of the round are disputed; null while that is not known. */
  disputed: number | null;
  onChange: (change: { [Key in keyof ExampleSearch]?: ExampleSearch[Key] | undefined }) => void;
}

/** The choice among a round's examples; it stands in the address, so that it can be shared. */
export function FilterBar(props: FilterBarProps) {
  const { filters, rounds, round, tags, annotators, disputed, onChange } = props;
  const { t, i18n } = useTranslation("examples");
  const all = { value: "", label: t("filter.all") };
  const asOptions = (values: readonly string[]) => [
    all,
    ...values.map((value) => ({ value, label: value })),
  ];
  const isQueue = filters.verdict === "disputed";
  return (
    <Stack gap="sm" role="search">
      <Group gap="xs" align="flex-end">
        <SearchField
          // Cleared or changed from elsewhere, the field begins anew.
          key={filters.search ?? ""}
          label={t("filter.search")}
          flex="1 1 16rem"
          search={filters.search ?? ""}
          onSearch={(search) => onChange({ search })}
        />
        <Button
          variant={isQueue ? "filled" : "default"}
          aria-pressed={isQueue}
          onClick={() => onChange({ verdict: isQueue ? undefined : "disputed" })}
        >
          {disputed === null
            ? t("filter.disputes")
            : t("filter.disputesCount", { shown: formatNumber(disputed, i18n.language) })}
        </Button>
        {isRestricted(filters) && (
          <Button variant="subtle" onClick={() => onChange(nothingChosen)}>
            {t("filter.clear")}
          </Button>
        )}
      </Group>
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} spacing="xs" verticalSpacing="xs">
        <NativeSelect
          label={t("filter.round")}
          data={rounds.map((number) => ({
            value: String(number),
            label: t("filter.roundNumber", { number }),
          }))}
          value={String(round)}
          onChange={(event) => onChange({ round: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          label={t("filter.verdict")}
          data={[all, ...VERDICTS.map((value) => ({ value, label: t(`verdict.${value}`) }))]}
          value={filters.verdict ?? ""}
          onChange={({ currentTarget: { value } }) =>
            onChange({ verdict: VERDICTS.find((one) => one === value) })
          }
        />
        <NativeSelect
          label={t("filter.fooled")}
          data={[
            all,
            { value: "yes", label: t("filter.fooledYes") },
            { value: "no", label: t("filter.fooledNo") },
          ]}
          value={filters.fooled === undefined ? "" : filters.fooled ? "yes" : "no"}
          onChange={({ currentTarget: { value } }) =>
            onChange({ fooled: value === "" ? undefined : value === "yes" })
          }
        />
        <NativeSelect
          label={t("filter.state")}
          data={[all, ...AUTHOR_STATES.map((value) => ({ value, label: t(`state.${value}`) }))]}
          value={filters.state ?? ""}
          onChange={({ currentTarget: { value } }) =>
            onChange({ state: AUTHOR_STATES.find((one) => one === value) })
          }
        />
        <NativeSelect
          label={t("filter.tag")}
          data={asOptions(withChosen(tags, filters.tag))}
          value={filters.tag ?? ""}
          onChange={(event) => onChange({ tag: event.currentTarget.value })}
        />
        <NativeSelect
          label={t("filter.annotator")}
          data={asOptions(withChosen(annotators, filters.annotator))}
          value={filters.annotator ?? ""}
          onChange={(event) => onChange({ annotator: event.currentTarget.value })}
        />
      </SimpleGrid>
    </Stack>
  );
}

const nothingChosen = {
  search: undefined,
  verdict: undefined,
  fooled: undefined,
  state: undefined,
  tag: undefined,
  annotator: undefined,
};

/** The options with the chosen one, which an address may name although no list does. */
function withChosen(options: readonly string[], chosen: string | undefined): readonly string[] {
  return chosen === undefined || options.includes(chosen) ? options : [chosen, ...options];
}
