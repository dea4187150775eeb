import { Button, NativeSelect, NumberInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ToggleEvent, useState } from "react";
import { useTranslation } from "react-i18next";

import { saidOf } from "../../lib/i18n/told";
import { type BoardSearch, writeWeights } from "./board-search";
import classes from "./boards.module.css";
import { metricHeader } from "./figures";
import { type Board, savedBoardsQuery } from "./queries";
import { WeightSlider } from "./weight-slider";

interface WeightsPanelProps {
  board: Board;
  search: BoardSearch;
  onChange: (change: Partial<Record<keyof BoardSearch, string | number | undefined>>) => void;
}

/** What the reader values: sliders from 0 to 5, the memory budget, whose exchange rates count. */
export function WeightsPanel({ board, search, onChange }: WeightsPanelProps) {
  const { t } = useTranslation("boards");
  // Beside a wide board the weights stand open; above a narrow one they would hide it.
  const isWide = useMediaQuery("(min-width: 62.01em)", true, { getInitialValueInEffect: false });
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? isWide;
  const toggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => {
    if (currentTarget.open !== isOpen) setChosen(currentTarget.open);
  };
  const saved = useQuery(savedBoardsQuery(board.task_slug));
  const snapshots = (saved.data ?? []).filter(({ kind }) => kind === "snapshot");
  const weights = (columns: readonly { id: string; weight: number }[], id: string, to: number) =>
    writeWeights(new Map(columns.map((one) => [one.id, one.id === id ? to : one.weight])));
  const metrics = board.metrics.map(({ name, weight }) => ({ id: name, weight }));
  const datasets = board.datasets.map(({ key, weight }) => ({ id: key, weight }));
  const isChanged = [search.metrics, search.datasets, search.budget, search.rates].some(
    (one) => one !== undefined,
  );
  return (
    <details className={classes.weights} open={isOpen} onToggle={toggle}>
      <summary>{t("weights.title")}</summary>
      <div>
        <fieldset className={classes.fieldset}>
          <legend>{t("weights.metrics")}</legend>
          {board.metrics.map((column) => (
            <WeightSlider
              key={column.name}
              label={metricHeader(column, t)}
              weight={column.weight}
              share={column.share}
              onChange={(to) => onChange({ metrics: weights(metrics, column.name, to) })}
            />
          ))}
        </fieldset>
        {board.datasets.length > 1 && (
          <fieldset className={classes.fieldset}>
            <legend>{t("weights.datasets")}</legend>
            {board.datasets.map(({ key, title, weight, share, reason, reason_told: told }) => (
              <WeightSlider
                key={key}
                note={reason == null ? null : saidOf(reason, told)}
                label={title}
                weight={weight}
                share={share}
                onChange={(to) => onChange({ datasets: weights(datasets, key, to) })}
              />
            ))}
          </fieldset>
        )}
        {board.metrics.some(({ unit }) => unit === "gib") && (
          <NumberInput
            key={board.budget_gib}
            label={t("weights.budget")}
            description={t("weights.budgetHelp")}
            defaultValue={board.budget_gib}
            min={0.1}
            max={100_000}
            onBlur={({ target }) => {
              const budget = Number(target.value);
              if (budget > 0 && budget !== board.budget_gib) onChange({ budget });
            }}
          />
        )}
        {snapshots.length > 0 && (
          <NativeSelect
            label={t("weights.rates")}
            description={t("weights.ratesHelp")}
            value={search.rates ?? ""}
            onChange={({ target }) => onChange({ rates: target.value || undefined })}
            data={[
              { value: "", label: t("weights.liveRates") },
              ...snapshots.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
        <div>
          <Button
            variant="default"
            size="compact-sm"
            disabled={!isChanged}
            onClick={() =>
              onChange({
                metrics: undefined,
                datasets: undefined,
                budget: undefined,
                rates: undefined,
              })
            }
          >
            {t("weights.reset")}
          </Button>
        </div>
      </div>
    </details>
  );
}
