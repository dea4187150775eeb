import { Group, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { formatPercent } from "../../lib/format";
import classes from "./probability-bars.module.css";

interface ProbabilityBarsProps {
  probabilities: Readonly<Record<string, number>>;
  /** The labels the model gave. */
  predicted?: readonly string[];
  /** The labels the person gave. */
  answered?: readonly string[];
}

/** Every label with its probability, most likely first; who chose which stands in words. */
export function ProbabilityBars(props: ProbabilityBarsProps) {
  const { probabilities, predicted = [], answered = [] } = props;
  const { t, i18n } = useTranslation();
  const rows = Object.entries(probabilities).sort(([, one], [, other]) => other - one);
  return (
    <ul className={classes.bars} aria-label={t("probabilities.title")}>
      {rows.map(([label, share]) => (
        <li key={label} className={classes.row}>
          <Group gap={8} wrap="nowrap" className={classes.label}>
            <Text span size="sm" dir="auto">
              {label}
            </Text>
            {predicted.includes(label) && <Tag>{t("probabilities.model")}</Tag>}
            {answered.includes(label) && <Tag>{t("probabilities.you")}</Tag>}
          </Group>
          <span className={classes.track} aria-hidden>
            <span className={classes.fill} style={{ width: `${share * 100}%` }} />
          </span>
          <Text span size="sm" className={classes.share}>
            {formatPercent(share, i18n.language)}
          </Text>
        </li>
      ))}
    </ul>
  );
}

function Tag({ children }: { children: string }) {
  return <span className={classes.tag}>{children}</span>;
}
