import { useTranslation } from "react-i18next";

import classes from "./boards.module.css";
import { writeFigure, writeInterval } from "./figures";
import { Whisker } from "./whisker";

interface CellFigure {
  value: number | null;
  low: number | null;
  high: number | null;
  items: number | null;
}

interface FigureCellProps {
  figure: CellFigure | null | undefined;
  unit: string;
  /** The axis of a whisker, where one is drawn. */
  range?: readonly [number, number];
}

/** A number with its whisker, its interval and its n. */
export function FigureCell({ figure, unit, range }: FigureCellProps) {
  const { t, i18n } = useTranslation("boards");
  if (figure?.value == null) return "–";
  const interval = writeInterval(figure, unit, i18n.language, t);
  const count = figure.items === null ? "" : t("table.items", { count: figure.items });
  return (
    <div className={classes.figure}>
      <span>{writeFigure(figure.value, unit, i18n.language)}</span>
      {range !== undefined && <Whisker figure={figure} range={range} />}
      {(interval !== "" || count !== "") && (
        <span className={classes.small}>
          {[interval, count].filter((part) => part !== "").join(", ")}
        </span>
      )}
    </div>
  );
}
