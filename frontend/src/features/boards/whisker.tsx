import classes from "./boards.module.css";
import type { Figure } from "./queries";

interface WhiskerProps {
  figure: Pick<Figure, "value" | "low" | "high">;
  range: readonly [number, number];
}

const WIDTH = 72;
const HEIGHT = 12;

/** A dot with its interval on an axis that all rows share; the numbers stand beside it. */
export function Whisker({ figure, range }: WhiskerProps) {
  if (figure.value === null) return null;
  const [from, to] = range;
  const at = (value: number) => (WIDTH * (value - from)) / (to - from);
  const [low, high] = [figure.low ?? figure.value, figure.high ?? figure.value];
  return (
    <svg
      className={classes.whisker}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden
    >
      <line x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} className={classes.axis} />
      <line x1={at(low)} x2={at(high)} y1={HEIGHT / 2} y2={HEIGHT / 2} className={classes.span} />
      <circle cx={at(figure.value)} cy={HEIGHT / 2} r={3} className={classes.dot} />
    </svg>
  );
}
