import { Button, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";

import { MoreButton } from "../../components/ui/more-button";
import { Empty, Loading, QueryView } from "../../components/ui/states";
import type { DrawnConfig } from "../../lib/task-config";
import { type Deed, DecisionDialog } from "./decision-dialog";
import { DeedBar } from "./deed-bar";
import { ExampleRow } from "./example-row";
import classes from "./examples.module.css";
import { type ExampleFilters, isRestricted } from "./filters";
import { type Decided, exampleListQuery, type Outcome } from "./queries";
import { useSelection } from "./selection";

interface ExampleBrowserProps {
  roundId: string;
  filters: ExampleFilters;
  config: DrawnConfig;
  onClear: () => void;
  isReleased: boolean;
}

/** A round's examples as chosen, with what experts can do to many at once. */
export function ExampleBrowser({
  roundId,
  filters,
  config,
  onClear,
  isReleased,
}: ExampleBrowserProps) {
  const { t } = useTranslation("examples");
  const list = useInfiniteQuery(exampleListQuery(roundId, filters));
  const found = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const [decided, setDecided] = useState<Decided | null>(null);
  const empty = isRestricted(filters) ? (
    <Empty
      title={t("list.noneChosen")}
      action={
        <Button variant="default" mt="xs" onClick={onClear}>
          {t("filter.clear")}
        </Button>
      }
    >
      {filters.verdict === "disputed" ? t("list.noDisputes") : t("list.noneChosenNext")}
    </Empty>
  ) : (
    <Empty title={t("list.none")}>{t("list.noneNext")}</Empty>
  );
  return (
    <Stack gap="xs">
      <div role="status">
        {decided !== null && (
          <Text c="var(--db-good)">
            {[
              t("list.decided", { count: decided.decided }),
              decided.passed_over.length > 0
                ? t("list.passedOver", { count: decided.passed_over.length })
                : "",
            ].join(" ")}
          </Text>
        )}
      </div>
      <QueryView
        query={list}
        loading={<Loading lines={10} />}
        isEmpty={() => found.length === 0}
        empty={empty}
      >
        {() => (
          <>
            <Rows
              roundId={roundId}
              config={config}
              outcomes={found}
              onDecided={setDecided}
              isReleased={isReleased}
            >
              <MoreButton list={list} mt="sm">
                {t("list.more")}
              </MoreButton>
            </Rows>
          </>
        )}
      </QueryView>
    </Stack>
  );
}

interface RowsProps {
  roundId: string;
  config: DrawnConfig;
  outcomes: readonly Outcome[];
  onDecided: (decided: Decided) => void;
  isReleased: boolean;
  /** After the rows: the way to more. */
  children: React.ReactNode;
}

function Rows({ roundId, config, outcomes, onDecided, isReleased, children }: RowsProps) {
  const { t } = useTranslation("examples");
  const selection = useSelection(outcomes);
  const [deed, setDeed] = useState<Deed | null>(null);
  return (
    <>
      <ul className={classes.list} aria-label={t("list.label")}>
        {outcomes.map((outcome) => (
          <ExampleRow
            key={outcome.example.id}
            outcome={outcome}
            config={config}
            isSelected={selection.isSelected(outcome.example.id)}
            onToggle={() => selection.toggle(outcome.example.id)}
            onFocus={() => selection.setCurrent(outcome.example.id)}
            rowRef={selection.keepRow(outcome.example.id)}
          />
        ))}
      </ul>
      <div>{children}</div>
      <DeedBar selection={selection} onDeed={setDeed} isReleased={isReleased} />
      {deed !== null && (
        <DecisionDialog
          roundId={roundId}
          deed={deed}
          ids={selection.concerned}
          onClose={() => setDeed(null)}
          onDone={(done) => {
            setDeed(null);
            selection.clear();
            onDecided(done);
          }}
        />
      )}
    </>
  );
}
