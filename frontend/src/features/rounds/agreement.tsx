import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { RateText } from "../../components/ui/rate-text";
import type { Schemas } from "../../lib/api-client";
import { formatNumber } from "../../lib/format";
import { saidOf } from "../../lib/i18n/told";
import classes from "./rounds.module.css";

/** How far a round's validators agree, or why that cannot be said. */
export function Agreement({ agreement }: { agreement: Schemas["AgreementRead"] }) {
  const { t, i18n } = useTranslation("rounds");
  const figure = (value: number | null) => formatNumber(value, i18n.language, 2);
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t("agreement.alpha")}</dt>
        <dd>{figure(agreement.krippendorff_alpha)}</dd>
        <dt>{t("agreement.kappa")}</dt>
        <dd>{figure(agreement.fleiss_kappa)}</dd>
        <dt>{t("agreement.unanimous")}</dt>
        <dd>
          <RateText
            name={t("agreement.unanimous")}
            rate={agreement.unanimous}
            howCounted={t("agreement.howUnanimous")}
          />
        </dd>
      </dl>
      <Text size="sm" c="dimmed" mt="xs">
        {agreement.reason === null
          ? t("agreement.counted", { votes: agreement.votes, count: agreement.examples })
          : saidOf(agreement.reason, agreement.reason_told)}
      </Text>
    </>
  );
}
