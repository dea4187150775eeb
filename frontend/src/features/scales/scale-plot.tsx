import { useTranslation } from "react-i18next";

import { IntervalPlot, type IntervalPoint } from "../../shared/plots/interval-plot";
import type { Estimate, Scale } from "./queries";

interface Placed {
  name: string;
  version: number;
}

/** Models and rounds as whiskers on one scale. */
export function ScalePlot({ scale }: { scale: Scale }) {
  const { t } = useTranslation("scales");
  const point = (of: Placed, estimate: Estimate): IntervalPoint => {
    const label = t("models.version", { name: of.name, version: of.version });
    const { value, low, high } = estimate;
    return { x: label, y: value, low, high, label };
  };
  return (
    <IntervalPlot
      title={t("models.plot")}
      kind="rows"
      xTitle={t("models.name")}
      yTitle={t("models.value")}
      series={[
        {
          name: t("models.models"),
          points: scale.models.map((model) => point(model, model.ability)),
        },
        {
          name: t("models.sets"),
          points: scale.sets.flatMap((set) =>
            set.difficulty === null ? [] : [point(set, set.difficulty)],
          ),
        },
      ]}
      within={[0, 0]}
    />
  );
}
