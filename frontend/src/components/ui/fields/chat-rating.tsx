import { useId } from "react";
import { useTranslation } from "react-i18next";

import classes from "./chat.module.css";

interface RatingRowProps {
  /** Whose reply is rated. */
  name: string;
  value: number | null;
  onRate: (rating: number) => void;
}

const POINTS = [1, 2, 3, 4, 5];

/** How good one reply is, from 1 to 5, by pointer or arrow keys. */
export function RatingRow({ name, value, onRate }: RatingRowProps) {
  const { t } = useTranslation();
  const group = useId();
  return (
    <fieldset className={classes.rating} aria-label={t("chat.rate", { name })}>
      <span className={classes.legend} aria-hidden>
        {t("chat.rateShort")}
      </span>
      <span className={classes.points}>
        {POINTS.map((point) => (
          <label
            key={point}
            className={classes.point}
            data-filled={value !== null && point <= value}
          >
            <input
              type="radio"
              name={group}
              checked={value === point}
              onChange={() => onRate(point)}
            />
            <span>{point}</span>
          </label>
        ))}
      </span>
    </fieldset>
  );
}
