import { useTranslation } from "react-i18next";

import type { Schemas } from "../../lib/api-client";
import classes from "./boards.module.css";
import { rangeOf, writeFigure } from "./figures";
import { labelled, scale, ticks } from "./plot-rules";

type Pareto = Schemas["ParetoRead"];
type Point = Schemas["ParetoPoint"];

interface ParetoPlotProps {
  pareto: Pareto;
  /** What stands along the bottom and the side. */
  titles: readonly [string, string];
}

const WIDTH = 720;
const HEIGHT = 420;
const BOX = { left: 64, right: 16, top: 16, bottom: 52 };

/** Performance upwards against another metric: whiskers, the front as a line, names on it. */
export function ParetoPlot({ pareto, titles }: ParetoPlotProps) {
  const { t, i18n } = useTranslation("boards");
  const points = pareto.points;
  const across = scale(rangeOf(points.map(({ other }) => other)), [BOX.left, WIDTH - BOX.right]);
  const up = scale(rangeOf(points.map(({ performance }) => performance)), [
    HEIGHT - BOX.bottom,
    BOX.top,
  ]);
  const place = ({ other, performance }: Point) =>
    [across(other.value ?? 0), up(performance.value ?? 0)] as const;
  const front = points
    .filter(({ is_on_front: isOn }) => isOn)
    .toSorted((one, two) => (one.other.value ?? 0) - (two.other.value ?? 0));
  const line = front.map((point) => place(point).join(",")).join(" ");
  const names = labelled(front, place);
  return (
    <svg
      className={classes.plot}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={t("pareto.label", { count: points.length, onFront: front.length })}
    >
      <Axes across={across} up={up} unit={pareto.unit} titles={titles} language={i18n.language} />
      <polyline points={line} className={classes.front} />
      {points.map((point) => (
        <Mark key={point.model.id} point={point} across={across} up={up} />
      ))}
      {names.map(({ item, x, y, anchor }) => (
        <text key={item.model.id} x={x} y={y} textAnchor={anchor}>
          {t("model.name", { name: item.model.name, version: item.model.version })}
        </text>
      ))}
    </svg>
  );
}

interface MarkProps {
  point: Point;
  across: (value: number) => number;
  up: (value: number) => number;
}

function Mark({ point, across, up }: MarkProps) {
  const { other, performance, is_on_front: isOn } = point;
  const [x, y] = [across(other.value ?? 0), up(performance.value ?? 0)];
  const span = isOn ? classes.span : classes.plainSpan;
  return (
    <g>
      {performance.low !== null && performance.high !== null && (
        <line x1={x} x2={x} y1={up(performance.low)} y2={up(performance.high)} className={span} />
      )}
      {other.low !== null && other.high !== null && (
        <line x1={across(other.low)} x2={across(other.high)} y1={y} y2={y} className={span} />
      )}
      <circle cx={x} cy={y} r={isOn ? 5 : 3.5} className={isOn ? classes.dot : classes.plain} />
    </g>
  );
}

interface AxesProps {
  across: ReturnType<typeof scale>;
  up: ReturnType<typeof scale>;
  unit: string;
  titles: readonly [string, string];
  language: string;
}

function Axes({ across, up, unit, titles, language }: AxesProps) {
  const floor = HEIGHT - BOX.bottom;
  return (
    <g>
      <line x1={BOX.left} x2={WIDTH - BOX.right} y1={floor} y2={floor} className={classes.axis} />
      <line x1={BOX.left} x2={BOX.left} y1={BOX.top} y2={floor} className={classes.axis} />
      {ticks(across.from, across.to).map((value) => (
        <text key={value} x={across(value)} y={floor + 18} textAnchor="middle">
          {writeFigure(value, unit, language)}
        </text>
      ))}
      {ticks(up.from, up.to).map((value) => (
        <text key={value} x={BOX.left - 8} y={up(value) + 4} textAnchor="end">
          {writeFigure(value, "points", language)}
        </text>
      ))}
      <text x={(BOX.left + WIDTH - BOX.right) / 2} y={HEIGHT - 10} textAnchor="middle">
        {titles[0]}
      </text>
      <text
        x={14}
        y={(BOX.top + floor) / 2}
        textAnchor="middle"
        transform={`rotate(-90 14 ${(BOX.top + floor) / 2})`}
      >
        {titles[1]}
      </text>
    </g>
  );
}
