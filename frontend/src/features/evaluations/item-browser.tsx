import { Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { MoreButton } from "../../components/ui/more-button";
import { Empty, Loading, QueryView } from "../../components/ui/states";
import { ApiProblem } from "../../lib/api-client";
import type { DrawnConfig } from "../../lib/task-config";
import classes from "./evaluations.module.css";
import { tagsOf } from "./figures";
import { ItemCard } from "./item-card";
import { ItemFilterBar } from "./item-filter-bar";
import { type ItemFilters, SPLITS } from "./item-search";
import { type Evaluation, itemListQuery } from "./queries";
import { useMoves } from "./use-moves";

interface ItemBrowserProps {
  evaluation: Evaluation;
  config: DrawnConfig;
  filters: ItemFilters;
  onChange: (change: { [Key in keyof ItemFilters]?: ItemFilters[Key] | undefined }) => void;
}

/** Where a model errs: its answers item by item, chosen by outcome, tag and text. */
export function ItemBrowser({ evaluation, config, filters, onChange }: ItemBrowserProps) {
  const { t } = useTranslation("evaluations");
  const splits = SPLITS.filter((split) => evaluation.scores.some((one) => one.split === split));
  const shown = { split: splits[0] ?? "test", ...filters } as const;
  return (
    <Stack gap="sm">
      <Text c="dimmed">{t("items.help")}</Text>
      <ItemFilterBar
        filters={shown}
        splits={splits}
        tags={tagsOf(evaluation)}
        onChange={onChange}
      />
      <Items evaluation={evaluation} config={config} filters={shown} />
    </Stack>
  );
}

const WITHHELD = ["evaluations.items_withheld", "evaluations.correctness_withheld"];

function Items({ evaluation, config, filters }: Omit<ItemBrowserProps, "onChange">) {
  const { t } = useTranslation("evaluations");
  const list = useInfiniteQuery(itemListQuery(evaluation.id, filters));
  const moves = useMoves();
  const { error } = list;
  if (error instanceof ApiProblem && WITHHELD.includes(error.code)) {
    return error.code === WITHHELD[0] ? (
      <Empty title={t("withheld.items")}>{t("withheld.itemsNext")}</Empty>
    ) : (
      <Empty title={t("withheld.correctness")}>{t("withheld.correctnessNext")}</Empty>
    );
  }
  const found = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <QueryView
      query={list}
      loading={<Loading lines={8} />}
      isEmpty={() => found.length === 0}
      empty={<Empty title={t("items.none")}>{t("items.noneNext")}</Empty>}
    >
      {({ pages }) => (
        <div>
          {pages[0]?.view === "answers" && <Text>{t("withheld.gold")}</Text>}
          <ul className={classes.list} aria-label={t("items.label")} ref={moves}>
            {found.map((item) => (
              <ItemCard key={item.uid} item={item} config={config} />
            ))}
          </ul>
          <MoreButton list={list} mt="sm">
            {t("items.more")}
          </MoreButton>
        </div>
      )}
    </QueryView>
  );
}
