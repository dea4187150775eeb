import { Alert, List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { saidOf } from "../../lib/i18n/told";
import { releaseLacksQuery } from "./queries";

/** What a release of an open round would lack if it were closed now; nothing where it would be whole. */
export function ClosingWarning({ roundId }: { roundId: string }) {
  const { t } = useTranslation("rounds");
  const { data: lacks = [] } = useQuery(releaseLacksQuery(roundId));
  if (lacks.length === 0) return null;
  return (
    <Alert color="yellow" title={t("actions.closeLacks")}>
      <List size="sm">
        {lacks.map(({ code, sentence, sentence_told: told }) => (
          <List.Item key={code}>{saidOf(sentence, told)}</List.Item>
        ))}
      </List>
      <Text size="sm" mt="xs">
        {t("actions.closeLacksNext")}
      </Text>
    </Alert>
  );
}
