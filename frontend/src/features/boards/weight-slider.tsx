import { Text } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

import { formatNumber, formatPercent } from "../../lib/format";
import { MOST_WEIGHT, WEIGHT_STEP } from "./board-search";
import classes from "./boards.module.css";

const PAUSE_MILLISECONDS = 250;

interface WeightSliderProps {
  label: string;
  weight: number;
  /** What part of the whole it makes up, from 0 to 1. */
  share: number;
  /** Why it weighs nothing when nobody asks. */
  note?: string | null;
  onChange: (weight: number) => void;
}

/** A weight from 0 to 5: dragged or moved by the arrow keys, told on once the hand rests. */
export function WeightSlider({ label, weight, share, note = null, onChange }: WeightSliderProps) {
  const { t, i18n } = useTranslation("boards");
  const id = useId();
  const [moved, setMoved] = useState<number | null>(null);
  const [told, setTold] = useState(weight);
  if (told !== weight) {
    // The board has answered: its weight counts again.
    setTold(weight);
    setMoved(null);
  }
  const tell = useDebouncedCallback(onChange, PAUSE_MILLISECONDS);
  const shown = moved ?? weight;
  const written = formatNumber(shown, i18n.language, Number.isInteger(shown) ? 0 : 1);
  return (
    <div className={classes.weight}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={MOST_WEIGHT}
        step={WEIGHT_STEP}
        value={shown}
        aria-valuetext={t("weights.value", {
          weight: written,
          share: formatPercent(share, i18n.language),
        })}
        onChange={({ target }) => {
          setMoved(Number(target.value));
          tell(Number(target.value));
        }}
      />
      <output htmlFor={id}>{written}</output>
      {note !== null && (
        <Text size="sm" c="dimmed" className={classes.weightNote}>
          {note}
        </Text>
      )}
    </div>
  );
}
