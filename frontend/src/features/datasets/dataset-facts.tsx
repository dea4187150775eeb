import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";

import { Markdown } from "../../components/ui/markdown";
import classes from "./datasets.module.css";
import { Provenance } from "./provenance";
import type { DatasetVersion } from "./queries";

/** What a version is, under which terms, and its parts one by one. */
export function DatasetFacts({ version }: { version: DatasetVersion }) {
  const { t } = useTranslation("datasets");
  const { description, source, content_warning: warning } = version.card;
  return (
    <Stack gap={4}>
      <Text>
        {t("desk.facts", {
          origin: t(`origin.${version.origin}`),
          access: t(`access.${version.access}`),
          licence: version.licence,
        })}
      </Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {t("desk.digest", { digest: version.digest })}
      </Text>
      <Text component="div" size="sm">
        {t("desk.download")}{" "}
        {version.splits
          .filter(({ items }) => items > 0)
          .map(({ split, items }) => (
            <Anchor
              key={split}
              href={`/api/v1/dataset-versions/${version.id}/splits/${split}`}
              download={`${version.name}-v${version.version}-${split}.jsonl`}
              me="xs"
            >
              {t("split", { split, count: items })}
            </Anchor>
          ))}
      </Text>
      <Provenance card={version.card} />
      {typeof warning === "string" && warning !== "" && (
        <Text className={classes.warning} my="xs">
          <strong>{t("card.warning")}</strong> {warning}
        </Text>
      )}
      {typeof source === "string" && source !== "" && (
        <Text size="sm">{t("desk.source", { source })}</Text>
      )}
      {typeof description === "string" && description !== "" && (
        <div>
          <Title order={3} size="h5">
            {t("form.description")}
          </Title>
          <Markdown topHeading={4}>{description}</Markdown>
        </div>
      )}
    </Stack>
  );
}
