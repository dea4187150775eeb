import { NativeSelect, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { MoreButton } from "../../components/ui/more-button";
import { Empty, Loading, QueryView } from "../../components/ui/states";
import type { Schemas } from "../../lib/api-client";
import type { DrawnConfig } from "../../lib/task-config";
import { nameOf } from "./comparison-view";
import classes from "./evaluations.module.css";
import { ItemText, useAnswerWords } from "./item-card";
import {
  type Advantage,
  type ComparedItem,
  type Comparison,
  type DatasetComparison,
  differingQuery,
} from "./queries";
import { useMoves } from "./use-moves";

interface DifferingItemsProps {
  comparison: Comparison;
  dataset: DatasetComparison;
  config: DrawnConfig;
  better: Advantage;
  onChange: (better: Advantage) => void;
}

const CHOICES: readonly Advantage[] = ["any", "left", "right"];

/** The items on which two models differ, where the dataset's access allows. */
export function DifferingItems(props: DifferingItemsProps) {
  const { comparison, dataset, better, onChange } = props;
  const { t } = useTranslation("evaluations");
  if (dataset.view === null) {
    return <Empty title={t("withheld.items")}>{t("withheld.compared")}</Empty>;
  }
  const words = {
    any: t("differ.any"),
    left: t("differ.better", { name: nameOf(comparison.left) }),
    right: t("differ.better", { name: nameOf(comparison.right) }),
  };
  return (
    <Stack gap="sm">
      {dataset.view === "full" ? (
        <NativeSelect
          label={t("differ.label")}
          value={better}
          onChange={({ currentTarget: { value } }) =>
            onChange(CHOICES.find((one) => one === value) ?? "any")
          }
          data={CHOICES.map((value) => ({ value, label: words[value] }))}
          maw={320}
        />
      ) : (
        <Text>{t("withheld.gold")}</Text>
      )}
      <Items {...props} better={dataset.view === "full" ? better : "any"} />
    </Stack>
  );
}

function Items({ comparison, dataset, config, better }: DifferingItemsProps) {
  const { t } = useTranslation("evaluations");
  const moves = useMoves();
  const list = useInfiniteQuery(
    differingQuery({
      left: comparison.left.id,
      right: comparison.right.id,
      dataset_version_id: dataset.dataset_version_id,
      split: dataset.split,
      better,
    }),
  );
  const found = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <QueryView
      query={list}
      loading={<Loading lines={8} />}
      isEmpty={() => found.length === 0}
      empty={<Empty title={t("differ.none")} />}
    >
      {() => (
        <div>
          <ul className={classes.list} aria-label={t("differ.list")} ref={moves}>
            {found.map((item) => (
              <Row key={item.uid} item={item} config={config} comparison={comparison} />
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

interface RowProps {
  item: ComparedItem;
  config: DrawnConfig;
  comparison: Comparison;
}

function Row({ item, config, comparison }: RowProps) {
  const { t } = useTranslation("evaluations");
  const inWords = useAnswerWords(config);
  const answer = (name: string, one: Schemas["AnswerRead"]) => (
    <>
      <dt>{name}</dt>
      <dd dir="auto">
        {one.error ?? inWords(one.outputs)}
        {one.score !== null && (
          <Text
            span
            ms="xs"
            className={classes.outcome}
            data-outcome={one.score >= 100 ? "right" : "wrong"}
          >
            {t(one.score >= 100 ? "mark.right" : "mark.wrong")}
          </Text>
        )}
      </dd>
    </>
  );
  return (
    <li className={classes.item} tabIndex={-1}>
      <ItemText item={item} config={config} />
      <dl className={classes.answers}>
        {answer(nameOf(comparison.left), item.left)}
        {answer(nameOf(comparison.right), item.right)}
        {item.gold !== null && (
          <>
            <dt>{t("items.gold")}</dt>
            <dd dir="auto">{inWords(item.gold)}</dd>
          </>
        )}
      </dl>
    </li>
  );
}
