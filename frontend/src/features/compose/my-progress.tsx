import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { myProgressQuery } from "./queries";

/** What the reader did in a round, in one line; nothing while it is not known. */
export function MyProgress({ roundId }: { roundId: string }) {
  const { t } = useTranslation("compose");
  const { data } = useQuery(myProgressQuery(roundId));
  if (data === undefined) return null;
  const figures = [
    t("progress.tries", { count: data.tries }),
    t("progress.fooled", { count: data.fooled }),
    t("progress.confirmed", { count: data.verified_fooled }),
    t("progress.pending", { count: data.pending }),
    t("progress.votes", { count: data.votes }),
  ];
  return <Text>{t("progress.you", { figures: figures.join(" · ") })}</Text>;
}
